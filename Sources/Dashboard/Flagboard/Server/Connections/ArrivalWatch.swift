import NIOCore

/// Tells a connection's guard of bytes before they are decoded, and keeps from the decoder what is none of a request's.
final class ArrivalWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    let connection: ConnectionGuard
    private var context: ChannelHandlerContext?
    /// Whether what decodes requests is in its place.
    private var isBegun = false
    /// What came before that: a client that sends no more after its request is heard to the end in any case.
    private var early: [ByteBuffer] = []
    private var isEndEarly = false

    init(connection: ConnectionGuard) {
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Hands over what came early; what decodes requests is in its place.
    func begin() {
        isBegun = true
        guard let context else { return }
        for buffer in early { pass(wrapInboundOut(buffer), context) }
        if !early.isEmpty { context.fireChannelReadComplete() }
        early = []
        if isEndEarly { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isBegun { pass(data, context) } else { early.append(unwrapInboundIn(data)) }
    }

    private func pass(_ data: NIOAny, _ context: ChannelHandlerContext) {
        guard connection.takes(context) else { return }
        context.fireChannelRead(data)
        connection.tookBytes()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !isBegun, event as? ChannelEvent == .inputClosed {
            isEndEarly = true
            return
        }
        // The guard itself may not be in its place yet.
        if event is ChannelShouldQuiesceEvent { connection.noteStop() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The reader of requests has stopped: what still comes is taken off the client's hands, so that it turns to
        // reading.
        if connection.isEnded { context.read() }
    }
}
