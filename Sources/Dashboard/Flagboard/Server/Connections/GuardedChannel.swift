import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// A connection of HTTP/1 that is held to limits.
struct GuardedChannel: ServerChildChannel {
    typealias Value = AcceptedConnection

    private let base: HTTP1Channel
    private let limits: ConnectionLimits
    private let registry: ConnectionRegistry

    init(responder: @escaping HTTPChannelHandler.Responder, limits: ConnectionLimits) {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
            maxHeaderFieldCount: limits.headFields)
        base = HTTP1Channel(
            responder: responder, configuration: HTTP1Channel.Configuration(httpDecoderConfiguration: decoder))
        self.limits = limits
        registry = ConnectionRegistry(maximum: limits.connections)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let watch = ArrivalWatch(connection: ConnectionGuard(limits: limits, registry: registry))
            try channel.pipeline.syncOperations.addHandler(watch)
            // Nothing is read before there is somebody to read it.
            try channel.syncOptions?.setOption(.autoRead, value: false)
            let bound = NIOLoopBound(watch, eventLoop: channel.eventLoop)
            return AcceptedConnection(channel, bound)
        }
    }

    func handle(value accepted: Value, logger: Logger) async {
        accepted.take()
        do {
            let value = try await begin(accepted.channel, accepted.watch, logger).get()
            await base.handle(value: value, logger: logger)
        } catch {
            logger.trace("A connection was closed before it was read: \(error)")
            accepted.channel.close(promise: nil)
        }
    }

    /// Puts up what decodes requests, with the guard behind it, and begins to read.
    private func begin(
        _ channel: any Channel, _ watch: NIOLoopBound<ArrivalWatch>, _ logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.flatSubmit { [base] in
            base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(watch.value.connection, position: .after(decoder))
                watch.value.begin()
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return value
            }
        }
    }
}

/// A connection of which nothing was read yet.
///
/// A server may forget one that it has accepted while it begins to stop (``OrderlyClose`` keeps it from that). The streams of NIO
/// end the process where they are forgotten, so they are made once the connection is handled; one that never is gets closed.
final class AcceptedConnection: ServerChildChannelValue {
    let channel: any Channel
    let watch: NIOLoopBound<ArrivalWatch>
    private let isHandled = Atomic(false)

    /// - Parameters:
    ///   - channel: The connection.
    ///   - watch: What sees its bytes first.
    init(_ channel: any Channel, _ watch: NIOLoopBound<ArrivalWatch>) {
        (self.channel, self.watch) = (channel, watch)
    }

    deinit {
        if !isHandled.load(ordering: .acquiring) { channel.close(promise: nil) }
    }

    /// Notes that somebody answers for the connection from now on.
    func take() { isHandled.store(true, ordering: .releasing) }
}

extension HTTPServerBuilder {
    /// HTTP/1 whose connections are held to limits, so that slow or silent clients keep no other out.
    ///
    /// The dashboard's own server is one. An app that mounts the dashboard can give it to its `Application`, under
    /// `HTTPServerBuilder.tls` too.
    ///
    /// - Parameter limits: How many connections there may be, and how long each may take.
    /// - Returns: What builds the server.
    public static func guarded(by limits: ConnectionLimits = ConnectionLimits()) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in GuardedChannel(responder: responder, limits: limits) }
    }
}
