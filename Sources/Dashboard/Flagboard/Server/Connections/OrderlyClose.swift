import Logging
import NIOCore
import NIOPosix

/// Makes a server's channel hand over all accepted connections before it closes.
///
/// Each changes threads twice; NIO drops those under way, with their requests, when the channel closes.
final class OrderlyClose: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// Thread changes of a connection, and one to spare.
    private static let turns = 3

    private let server: any Channel
    /// Its connections are handled by the server.
    private var listener: (any Channel)?
    private var isClosing = false

    private init(of server: any Channel) {
        self.server = server
    }

    /// - Throws: `ChannelError` if the server has stopped.
    @discardableResult
    static func install(on server: any Channel) async throws -> NIOLoopBound<OrderlyClose> {
        try await server.eventLoop.submit {
            let handler = OrderlyClose(of: server)
            try server.pipeline.syncOperations.addHandler(handler)
            return NIOLoopBound(handler, eventLoop: server.eventLoop)
        }.get()
    }

    /// Accepts the connections of a listener that doesn't read yet, until the server closes.
    ///
    /// - Throws: ``ServerIsStopping`` if the server is closing or closed.
    fileprivate func accept(from listener: any Channel) throws {
        guard !isClosing, server.isActive else {
            listener.close(promise: nil)
            throw ServerIsStopping()
        }
        self.listener = listener
        try listener.syncOptions?.setOption(.autoRead, value: true)
    }

    func read(context: ChannelHandlerContext) {
        if !isClosing { context.read() }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, !isClosing else {
            context.close(mode: mode, promise: promise)
            return
        }
        isClosing = true
        listener?.close(promise: nil)
        do {
            try context.channel.syncOptions?.setOption(.autoRead, value: false)
        } catch {
            // Already closed, as the close below reports.
        }
        let bound = context.loopBound
        Self.turn(Self.turns, context.eventLoop).whenComplete { _ in bound.value.close(mode: mode, promise: promise) }
    }

    /// Waits repeatedly until every thread has finished its earlier work.
    private static func turn(_ count: Int, _ home: any EventLoop) -> EventLoopFuture<Void> {
        guard count > 0 else { return home.makeSucceededVoidFuture() }
        let others = MultiThreadedEventLoopGroup.singleton.makeIterator().map { $0.submit {} }
        return EventLoopFuture.andAllComplete(others, on: home).flatMap { turn(count - 1, home) }
    }
}

struct ServerIsStopping: Error {}

/// Accepts connections of a socket that another program opened, since Hummingbird's server opens its own.
///
/// The server's limits and shutdown apply to them as if its own socket had accepted them.
enum PassedListener {
    /// Listens until the server closes.
    ///
    /// - Returns: A channel on the server's thread, so that no connection arrives after that one closes.
    /// - Throws: ``ServerIsStopping`` if the server is stopped meanwhile; `IOError` if the socket can't be used.
    static func start(
        _ socket: CInt, for server: any Channel, most: Int, _ logger: Logger
    ) async throws -> any Channel {
        let order = try await OrderlyClose.install(on: server)
        let listener = try await ServerBootstrap(
            group: server.eventLoop, childGroup: MultiThreadedEventLoopGroup.singleton
        )
        // A server that was stopped while it started would drop what is accepted before it can wait for that.
        .serverChannelOption(.autoRead, value: false)
        .serverChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    AcceptGuard(most: most, logger: logger), HandingOver(server: server),
                ])
            }
        }
        .withBoundSocket(socket).get()
        try await server.eventLoop.submit { try order.value.accept(from: listener) }.get()
        return listener
    }
}

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
