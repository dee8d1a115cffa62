import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

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
            // Read nothing before the handlers are installed.
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

    /// Installs the decoder with the guard behind it, and starts reading.
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

/// An accepted connection before anything is read.
///
/// NIO's streams trap when dropped unused, and a stopping server may drop connections (``OrderlyClose`` prevents that).
/// So streams are created once the connection is handled; otherwise it is closed.
final class AcceptedConnection: ServerChildChannelValue {
    let channel: any Channel
    let watch: NIOLoopBound<ArrivalWatch>
    private let isHandled = Atomic(false)

    init(_ channel: any Channel, _ watch: NIOLoopBound<ArrivalWatch>) {
        (self.channel, self.watch) = (channel, watch)
    }

    deinit {
        if !isHandled.load(ordering: .acquiring) { channel.close(promise: nil) }
    }

    func take() { isHandled.store(true, ordering: .releasing) }
}

extension HTTPServerBuilder {
    /// HTTP/1 with limits, so that slow or silent clients lock nobody out.
    ///
    /// The dashboard's own server uses it. An app that mounts the dashboard can pass it to its `Application`, also
    /// inside `HTTPServerBuilder.tls`.
    ///
    /// - Parameter limits: The limits of its connections.
    /// - Returns: The server's builder.
    package static func guarded(by limits: ConnectionLimits = ConnectionLimits()) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in GuardedChannel(responder: responder, limits: limits) }
    }
}
