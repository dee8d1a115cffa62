import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of HTTP/1 that is held to limits.
struct GuardedChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

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
        let connection = NIOLoopBound(ConnectionGuard(limits: limits, registry: registry), eventLoop: channel.eventLoop)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ArrivalWatch(connection: connection.value))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(connection.value, position: .after(decoder))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
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
