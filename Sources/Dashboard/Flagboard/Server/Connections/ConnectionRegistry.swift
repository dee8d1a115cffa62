import NIOCore
import NIOHTTP1
import Synchronization

/// The connections that are open, never more than a number of them.
///
/// A cap that only stopped accepting would let as many silent clients lock everybody out, so a new connection takes the
/// place of the one that has kept the server waiting longest.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        var turn: ConnectionTurn
        let close: @Sendable () -> Void
    }

    private struct Storage {
        var connections: [ObjectIdentifier: Connection] = [:]
        var isStopping = false
    }

    private let storage = Mutex(Storage())
    private let maximum: Int

    /// - Parameter maximum: How many connections may be open.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Takes in a connection, closing another one where there are too many.
    ///
    /// - Parameter close: Closes it; called at most once, from any thread.
    /// - Returns: Whether it may stay; it may not while every other one waits for the server.
    func admit(_ id: ObjectIdentifier, turn: ConnectionTurn, close: @escaping @Sendable () -> Void) -> Bool {
        let (isAdmitted, displaced) = storage.withLock { storage -> (Bool, Connection?) in
            var displaced: Connection?
            if storage.connections.count >= maximum {
                guard let first = ConnectionTurn.firstToClose(of: storage.connections.mapValues(\.turn)) else {
                    return (false, nil)
                }
                displaced = storage.connections.removeValue(forKey: first)
            }
            storage.connections[id] = Connection(turn: turn, close: close)
            return (true, displaced)
        }
        displaced?.close()
        return isAdmitted
    }

    /// Whether the server stops, which a connection that was just taken in may not have been told.
    var isStopping: Bool { storage.withLock(\.isStopping) }

    /// Notes that the server stops.
    func stop() { storage.withLock { $0.isStopping = true } }

    /// Notes whose turn it is on a connection that was taken in.
    func note(_ turn: ConnectionTurn, of id: ObjectIdentifier) {
        storage.withLock { $0.connections[id]?.turn = turn }
    }

    /// Forgets a connection that is closed.
    func remove(_ id: ObjectIdentifier) {
        storage.withLock { _ = $0.connections.removeValue(forKey: id) }
    }
}

/// A request on a connection and the response to it.
struct Exchange {
    /// When the first byte of the request came.
    let began: NIODeadline
    let version: HTTPVersion
    /// Whether the client waits to be told to send the body.
    var awaitsContinue: Bool
    /// Whether the connection ends with the response.
    var isLast: Bool
    /// Whether all of the request is there.
    var isComplete = false
    /// Whether the response has begun.
    var isAnswered = false
    /// What makes the request unreadable.
    var fault: HTTPParserError?

    /// An exchange of a request whose head has come.
    init(_ head: HTTPRequestHead, began: NIODeadline) {
        self.began = began
        version = head.version
        let expectations = head.headers[canonicalForm: "expect"].map { $0.lowercased() }
        awaitsContinue = expectations == ["100-continue"] && version != .http1_0
        // After what asks for another protocol, the decoder takes nothing for a request any more.
        isLast =
            !head.isKeepAlive || version == .http1_0 || head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
    }

    /// An exchange of something that is no request.
    init(_ fault: HTTPParserError, began: NIODeadline) {
        self.began = began
        version = .http1_1
        awaitsContinue = false
        isLast = true
        isComplete = true
        self.fault = fault
    }
}

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
