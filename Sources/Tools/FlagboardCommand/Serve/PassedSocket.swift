import DurableFiles
import Foundation

/// A socket opened by the service manager, as in sd_listen_fds(3).
struct PassedSocket: Sendable {
    let descriptor: CInt
    let host: String
    let port: Int

    private static let first: CInt = 3

    /// `nil` if no socket is passed to this process.
    ///
    /// - Parameter environment: `LISTEN_FDS` is the number of sockets, `LISTEN_PID` their process.
    /// - Throws: ``PlainError`` if there are several, or it can't be served.
    static func find(_ environment: [String: String]) throws(PlainError) -> PassedSocket? {
        guard let count = count(environment) else { return nil }
        guard count == "1" else {
            throw PlainError(
                "LISTEN_FDS is \(count), but only one socket can be served. Use one ListenStream= line in the unit.")
        }
        return try PassedSocket(first)
    }

    /// The number of sockets; `nil` if none is passed to this process.
    static func count(_ environment: [String: String]) -> String? {
        guard environment["LISTEN_PID"] == "\(ProcessInfo.processInfo.processIdentifier)",
            let count = environment["LISTEN_FDS"], count != "0"
        else { return nil }
        return count
    }

    private init(_ descriptor: CInt) throws(PlainError) {
        var listens: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0 else {
            throw Self.unfit("it is not a listening socket; set ListenStream= and Accept=no in the unit")
        }
        var address = sockaddr_storage()
        size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (host, port) = ([CChar](repeating: 0, count: 1025), [CChar](repeating: 0, count: 32))
        let result = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> CInt in
                guard getsockname(descriptor, address, &size) == 0 else { return -1 }
                guard [AF_INET, AF_INET6].contains(CInt(address.pointee.sa_family)) else { return -1 }
                return getnameinfo(
                    address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                    NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        guard result == 0, let number = Int(Self.text(port)) else {
            throw Self.unfit("it has no address and port; set them in the unit, such as ListenStream=127.0.0.1:8080")
        }
        (self.descriptor, self.host, self.port) = (descriptor, Self.text(host), number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func unfit(_ problem: String) -> PlainError {
        PlainError("Can't use the socket passed by LISTEN_FDS: \(problem).")
    }

    /// Hides the socket and its variables from child processes.
    func keep() {
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
