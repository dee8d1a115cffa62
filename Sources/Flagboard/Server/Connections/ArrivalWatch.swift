import NIOCore

/// Tells a connection's guard of bytes before they are decoded, and keeps from the decoder what is none of a request's.
final class ArrivalWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionGuard

    init(connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard connection.takes(context) else { return }
        context.fireChannelRead(data)
        connection.tookBytes()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The reader of requests has stopped: what still comes is taken off the client's hands, so that it turns to
        // reading.
        if connection.isEnded { context.read() }
    }
}
