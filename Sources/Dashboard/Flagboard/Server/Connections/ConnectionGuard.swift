import NIOCore
import NIOHTTP1

/// Enforces a connection's limits, between the HTTP/1 decoder and the server.
///
/// It handles what only it can see: times, unsent bytes, and targets with a host. The server answers malformed requests
/// in their turn; the guard only supplies the text.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let registry: ConnectionRegistry
    private var state: ConnectionState
    private var context: ChannelHandlerContext?
    private var timer: (at: NIODeadline, scheduled: Scheduled<Void>)?
    private var writtenBytes = 0
    /// The server's response is replaced, so its body is dropped.
    private var dropsBody = false
    /// A stream of events, which has no end of its own.
    private var isStreaming = false

    private var id: ObjectIdentifier { ObjectIdentifier(self) }

    init(limits: ConnectionLimits, registry: ConnectionRegistry) {
        self.registry = registry
        state = ConnectionState(limits: limits, now: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { open(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        registry.remove(id)
        timer?.scheduled.cancel()
        timer = nil
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        registry.remove(id)
        timer?.scheduled.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    private func open(_ context: ChannelHandlerContext) {
        state.open(at: .now())
        let eventLoop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let isAdmitted = registry.admit(id, turn: state.turn) {
            eventLoop.execute { bound.value.makeRoom() }
        }
        if registry.isStopping { state.stop(at: .now()) }
        if isAdmitted { goOn(context) } else { turnAway(.busy, context) }
    }

    private func makeRoom() {
        guard let context else { return }
        switch state.turn {
        case .server: state.takeNoMore()
        case .client, .stream:
            if state.mayAnswer, state.isReading {
                turnAway(.displaced, context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    /// `true` if the decoder may read new bytes.
    func takes(_ context: ChannelHandlerContext) -> Bool {
        guard !state.ignoresBytes else { return false }
        state.receiveBytes(at: .now())
        return true
    }

    /// Updates limits after the decoder has read bytes.
    func tookBytes() {
        if let context { goOn(context) }
    }

    var isEnded: Bool { state.isEnded }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !state.isEnded else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            do throws(HTTPParserError) {
                let normalized = try head.normalized()
                state.receiveHead(normalized, at: .now())
                context.fireChannelRead(wrapInboundOut(.head(normalized)))
                sendContinue(context)
            } catch {
                fail(error, context)
            }
        case .body:
            if state.isReading { context.fireChannelRead(data) }
        case .end:
            if state.isReading {
                state.receiveEnd()
                context.fireChannelRead(data)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let fault = error as? HTTPParserError {
            fail(fault, context)
        } else if state.isReading {
            // A broken connection is an incomplete request, like one closed too early.
            fail(.invalidEOFState, context)
        } else {
            context.fireErrorCaught(error)
        }
    }

    private func fail(_ fault: HTTPParserError, _ context: ChannelHandlerContext) {
        if !state.isEnded { state.receiveFault(fault, at: .now()) }
        context.fireErrorCaught(fault)
    }

    private func sendContinue(_ context: ChannelHandlerContext) {
        guard state.takeContinue() else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let isGone = event as? ChannelEvent == .inputClosed
        if isGone, state.isEnded || isStreaming {
            // A stream's listener who closes its output has gone.
            context.close(promise: nil)
        } else if event is ChannelShouldQuiesceEvent {
            // The server's own handler would close the connection during a request.
            stop(context)
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    func noteStop() {
        registry.stop()
        state.stop(at: .now())
    }

    private func stop(_ context: ChannelHandlerContext) {
        noteStop()
        if isStreaming { endStream(context) } else { goOn(context) }
    }

    /// Ends a stream of events properly; the listener reconnects later.
    private func endStream(_ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        end(context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !state.isEnded else {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code < 200:
            context.write(data, promise: promise)
        case .head(let head):
            begin(head, context, promise)
        case .body(let body):
            guard !dropsBody else {
                promise?.succeed()
                return
            }
            writtenBytes += body.readableBytes
            context.write(data, promise: promise)
        case .end:
            dropsBody = false
            isStreaming = false
            context.write(data, promise: promise)
            if state.endResponse(at: .now()) { end(context) } else { sendContinue(context) }
        }
    }

    private func begin(_ head: HTTPResponseHead, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let exchange = state.current
        let isLast = state.beginResponse(at: .now())
        if let fault = exchange?.fault, head.status == .badRequest, head.headers["content-length"].first == "0" {
            let answer = ConnectionAnswer(fault)
            context.write(wrapOutboundOut(.head(answer.head)), promise: promise)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
            dropsBody = true
            return
        }
        var head = head
        isStreaming = head.headers["content-type"].first == "text/event-stream"
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        // HTTP/1.0 clients know no chunks and read until the connection ends.
        if exchange?.version == .http1_0 { head.version = .http1_0 }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        if isStreaming, state.isStopping { endStream(context) }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        goOn(context)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else {
            context.close(mode: mode, promise: promise)
            return
        }
        if state.isEnded { promise?.succeed() } else { end(context, promise) }
    }

    private func answer(_ answer: ConnectionAnswer, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        end(context)
    }

    private func turnAway(_ reason: ConnectionAnswer, _ context: ChannelHandlerContext) {
        answer(reason, context)
        context.close(promise: nil)
    }

    /// Ends the connection but keeps reading, so that the client can read the last response.
    private func end(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) {
        let isCutOff = state.isReading
        state.end(at: .now())
        context.flush()
        context.close(mode: .output, promise: promise)
        // The reader of the request must not take its part for the whole.
        if isCutOff { context.fireErrorCaught(HTTPParserError.invalidEOFState) }
        context.read()
        goOn(context)
    }

    private func goOn(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        let waiting = Self.waitingBytes(context.channel)
        state.noteWritten(writtenBytes, waiting: waiting, at: .now())
        writtenBytes = 0
        registry.note(state.turn, of: id)
        setTimer(context)
    }

    private func setTimer(_ context: ChannelHandlerContext) {
        // Only a later timer must be replaced; an earlier one checks again and does no harm.
        guard let at = [state.deadline?.0, state.nextLook(at: .now())].compactMap({ $0 }).min() else { return }
        if let timer, timer.at <= at { return }
        timer?.scheduled.cancel()
        let scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: at) { self.timePassed() }
        timer = (at, scheduled)
    }

    private func timePassed() {
        timer = nil
        guard let context, context.channel.isActive else { return }
        state.noteWritten(writtenBytes, waiting: Self.waitingBytes(context.channel), at: .now())
        writtenBytes = 0
        guard let (at, expiry) = state.deadline, at <= .now() else {
            goOn(context)
            return
        }
        switch expiry {
        case .slowHead where state.mayAnswer: answer(.slowHead, context)
        case .slowRequest where state.mayAnswer: answer(.slowRequest, context)
        default: context.close(promise: nil)
        }
    }

    private static func waitingBytes(_ channel: any Channel) -> Int {
        do {
            return try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0
        } catch {
            // A channel closed meanwhile has nothing waiting.
            return 0
        }
    }
}
