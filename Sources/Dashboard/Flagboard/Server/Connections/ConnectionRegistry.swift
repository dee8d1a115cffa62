import NIOCore
import NIOHTTP1
import Synchronization

/// The open connections, up to a limit.
///
/// A new one displaces the one that has kept the server waiting longest; otherwise silent clients could lock everybody
/// out.
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

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// - Parameter close: Called at most once, from any thread.
    /// - Returns: `false` while all others wait for the server.
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

    /// A connection admitted just now may not have been notified.
    var isStopping: Bool { storage.withLock(\.isStopping) }

    func stop() { storage.withLock { $0.isStopping = true } }

    func note(_ turn: ConnectionTurn, of id: ObjectIdentifier) {
        storage.withLock { $0.connections[id]?.turn = turn }
    }

    func remove(_ id: ObjectIdentifier) {
        storage.withLock { _ = $0.connections.removeValue(forKey: id) }
    }
}

struct Exchange {
    let began: NIODeadline
    let version: HTTPVersion
    /// The client waits for `100 Continue`.
    var awaitsContinue: Bool
    /// The connection ends with the response.
    var isLast: Bool
    var isComplete = false
    var isAnswered = false
    var fault: HTTPParserError?

    init(_ head: HTTPRequestHead, began: NIODeadline) {
        self.began = began
        version = head.version
        let expectations = head.headers[canonicalForm: "expect"].map { $0.lowercased() }
        awaitsContinue = expectations == ["100-continue"] && version != .http1_0
        // After an upgrade request, the decoder reads no more requests.
        isLast =
            !head.isKeepAlive || version == .http1_0 || head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
    }

    init(_ fault: HTTPParserError, began: NIODeadline) {
        self.began = began
        version = .http1_1
        awaitsContinue = false
        isLast = true
        isComplete = true
        self.fault = fault
    }
}

/// Reports bytes to a connection's guard before they are decoded, and drops those after the last request.
final class ArrivalWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    let connection: ConnectionGuard
    private var context: ChannelHandlerContext?
    private var isBegun = false
    /// Earlier bytes: a client that half-closes after its request is still answered.
    private var early: [ByteBuffer] = []
    private var isEndEarly = false

    init(connection: ConnectionGuard) {
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Passes early bytes on, once the decoder is installed.
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
        // The guard may not be installed yet.
        if event is ChannelShouldQuiesceEvent { connection.noteStop() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nobody reads requests any more; drain the rest, so that the client turns to reading.
        if connection.isEnded { context.read() }
    }
}
