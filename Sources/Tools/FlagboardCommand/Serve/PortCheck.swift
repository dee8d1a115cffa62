import NIOCore
import NIOPosix

/// Finds out whether a port can be bound before any file is touched.
enum PortCheck {
    /// Binds the port and lets it go again.
    static func run(host: String, port: Int) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port)
            .get()
        try await channel.close()
    }
}
