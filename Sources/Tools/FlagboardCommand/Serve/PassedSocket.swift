import Foundation

/// The socket that the service manager has opened for this process, as sd_listen_fds(3) describes it.
struct PassedSocket: Sendable {
    /// Its number.
    let descriptor: CInt
    /// The address that it is bound to.
    let host: String
    /// The port that it is bound to.
    let port: Int

    /// The number of the first socket that is passed.
    private static let first: CInt = 3

    /// Finds the socket.
    ///
    /// - Parameter environment: The variables of this process: `LISTEN_FDS` says how many sockets are passed, and `LISTEN_PID`
    ///   to whom.
    /// - Returns: The socket; `nil` where none is passed to this process.
    /// - Throws: ``StartError`` where it can't be served, or there are several.
    static func find(_ environment: [String: String]) throws(StartError) -> PassedSocket? {
        guard let pid = environment["LISTEN_PID"], pid == "\(ProcessInfo.processInfo.processIdentifier)" else {
            return nil
        }
        let count = environment["LISTEN_FDS"] ?? "0"
        guard count != "0" else { return nil }
        guard count == "1" else {
            throw StartError(
                "LISTEN_FDS is \(count): one socket can be served, so give its unit one ListenStream= line.")
        }
        return try PassedSocket(first)
    }

    private init(_ descriptor: CInt) throws(StartError) {
        var listens: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0 else {
            throw Self.unfit("it is no socket that listens (Accept=no, ListenStream=)")
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
            throw Self.unfit("it has no address and port (ListenStream=127.0.0.1:8080)")
        }
        (self.descriptor, self.host, self.port) = (descriptor, Self.text(host), number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func unfit(_ problem: String) -> StartError {
        StartError("the socket that was passed by LISTEN_FDS can't be served: \(problem).")
    }

    /// Keeps the socket, and what tells of it, from the programs that this one starts.
    func keep() {
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
