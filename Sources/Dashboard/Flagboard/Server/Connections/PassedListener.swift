import Logging
import NIOCore
import NIOPosix

/// Takes the connections of a socket that was opened by another program for a server, which is Hummingbird's and opens its own.
///
/// They are handed to the server as if its own socket had accepted them, so that its limits hold for them, and its end.
enum PassedListener {
    /// Listens until it is closed, which the server sees to (``OrderlyClose``).
    ///
    /// - Returns: What accepts connections there, on the thread of the server's own, so that none comes after that is closed.
    static func start(
        _ socket: CInt, for server: any Channel, most: Int, _ logger: Logger
    ) async throws -> any Channel {
        try await ServerBootstrap(
            group: server.eventLoop, childGroup: MultiThreadedEventLoopGroup.singleton
        )
        .serverChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    AcceptGuard(most: most, logger: logger), HandingOver(server: server),
                ])
            }
        }
        .withBoundSocket(socket).get()
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
        server.pipeline.fireChannelRead(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        server.pipeline.fireChannelReadComplete()
    }
}
