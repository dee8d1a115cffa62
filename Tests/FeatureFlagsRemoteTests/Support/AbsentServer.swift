import Foundation

/// A port of 127.0.0.1 that is taken, and where nothing listens: connections are refused.
final class AbsentServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        #if canImport(Glibc)
            let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let opened = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(opened, general, size) == 0 && getsockname(opened, general, &size) == 0
            }
        }
        guard isBound else {
            close(opened)
            throw POSIXError(.EADDRINUSE)
        }
        descriptor = opened
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
