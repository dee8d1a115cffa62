import Logging
import NIOCore
import NIOPosix

/// Has a server's own channel hand over all connections that it has accepted before it closes.
///
/// Each takes two turns from the server's thread to its own and back; NIO forgets those that are under way when the channel
/// closes, with what was asked on them.
final class OrderlyClose: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// How often a connection may have to change its thread, and one to spare.
    private static let turns = 3

    private let other: (any Channel)?
    private var isClosing = false

    private init(_ other: (any Channel)?) {
        self.other = other
    }

    /// Puts the handler up.
    static func install(on server: any Channel, with other: (any Channel)? = nil) async throws {
        try await server.eventLoop.submit {
            try server.pipeline.syncOperations.addHandler(OrderlyClose(other))
        }.get()
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
        other?.close(promise: nil)
        do {
            try context.channel.syncOptions?.setOption(.autoRead, value: false)
        } catch {
            // It is closed already, which the next line tells.
        }
        let bound = context.loopBound
        Self.turn(Self.turns, context.eventLoop).whenComplete { _ in bound.value.close(mode: mode, promise: promise) }
    }

    /// Waits until every thread has done what it was given before, and that as often.
    private static func turn(_ count: Int, _ home: any EventLoop) -> EventLoopFuture<Void> {
        guard count > 0 else { return home.makeSucceededVoidFuture() }
        let others = MultiThreadedEventLoopGroup.singleton.makeIterator().map { $0.submit {} }
        return EventLoopFuture.andAllComplete(others, on: home).flatMap { turn(count - 1, home) }
    }
}

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
