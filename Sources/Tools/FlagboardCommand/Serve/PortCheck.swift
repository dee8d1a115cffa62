import NIOCore
import NIOPosix

/// Finds out whether a port can be bound before any file is touched.
enum PortCheck {
    /// Binds the port and lets it go again.
    ///
    /// - Throws: The error that binding it brings, such as an `IOError` of `EADDRINUSE`.
    static func run(host: String, port: Int) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port)
            .get()
        try await channel.close()
    }
}
