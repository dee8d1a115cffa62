import NIOCore
import NIOPosix

/// Takes the connections of a socket that was opened by another program for a server, which is Hummingbird's and opens its own.
///
/// They are handed to the server as if its own socket had accepted them, so that its limits hold for them, and its end.
enum PassedListener {
    /// Listens for as long as the server does.
    ///
    /// - Parameters:
    ///   - socket: A socket that listens.
    ///   - server: The channel of the server's own socket.
    /// - Returns: The port.
    /// - Throws: Where the socket can't be used.
    static func start(_ socket: CInt, for server: any Channel) async throws -> Int? {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HandingOver(server: server))
                }
            }
            .withBoundSocket(socket).get()
        server.closeFuture.whenComplete { _ in channel.close(promise: nil) }
        return channel.localAddress?.port
    }
}

/// Hands each accepted connection to another channel.
private final class HandingOver: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let server: any Channel

    init(server: any Channel) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (server, connection) = (server, unwrapInboundIn(data))
        server.eventLoop.execute {
            guard server.isActive else { return connection.close(promise: nil) }
            server.pipeline.fireChannelRead(connection)
            server.pipeline.fireChannelReadComplete()
        }
    }
}
