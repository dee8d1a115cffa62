import NIOCore
import NIOHTTP1

/// What a connection is doing, and by when it must have gone on.
///
/// It knows nothing of channels: it is told what happens and when, and says what that means.
struct ConnectionState {
    /// What follows from a limit that has passed.
    enum Expiry: Hashable {
        /// Nothing was begun that an answer could be about.
        case close
        case slowHead, slowRequest
    }

    private let limits: ConnectionLimits
    /// Requests that aren't answered yet, oldest first; only the newest can be incomplete.
    private var exchanges = CircularBuffer<Exchange>()
    /// When the server began to wait for another request.
    private var idleSince: NIODeadline
    /// When the first byte of a head came that isn't complete yet.
    private var headBegan: NIODeadline?
    /// When the connection was ended but for reading what still comes.
    private var endedAt: NIODeadline?
    /// When the server began to stop.
    private var stoppedAt: NIODeadline?
    private var unsent: UnsentBytes
    private var lastWrite: NIODeadline
    /// When the answer began that was sent last.
    private var answerBegan: NIODeadline

    init(limits: ConnectionLimits, now: NIODeadline) {
        self.limits = limits
        idleSince = now
        lastWrite = now
        answerBegan = now
        unsent = UnsentBytes(patience: TimeAmount(limits.response))
    }

    /// Whether nothing more is answered.
    var isEnded: Bool { endedAt != nil }

    /// Whether the server stops.
    var isStopping: Bool { stoppedAt != nil }

    /// Whether what comes in from now on is none of a request's.
    var ignoresBytes: Bool { isEnded || exchanges.last.map { $0.isLast && $0.isComplete } ?? false }

    /// Whether a request has begun that isn't all there.
    var isReading: Bool { exchanges.last.map { !$0.isComplete } ?? false }

    /// The request that is being answered.
    var current: Exchange? { exchanges.first }

    /// Whether an answer of the connection's own would go between no others.
    var mayAnswer: Bool { !isEnded && exchanges.count <= 1 && exchanges.first?.isAnswered != true }

    /// Whose turn it is.
    var turn: ConnectionTurn {
        if let endedAt { return .client(since: endedAt) }
        if let since = unsent.since { return .client(since: since) }
        guard let first = exchanges.first else { return .client(since: idleSince) }
        if !first.isComplete { return .client(since: first.began) }
        return first.isAnswered ? .stream(since: lastWrite) : .server
    }

    /// Notes bytes that the decoder has not seen yet.
    mutating func receiveBytes(at now: NIODeadline) {
        if headBegan == nil, exchanges.last?.isComplete ?? true { headBegan = now }
    }

    /// Notes the head of a request.
    mutating func receiveHead(_ head: HTTPRequestHead, at now: NIODeadline) {
        exchanges.append(Exchange(head, began: headBegan ?? now))
        headBegan = nil
    }

    /// Notes the end of a request.
    mutating func receiveEnd() {
        guard !exchanges.isEmpty else { return }
        exchanges[exchanges.index(before: exchanges.endIndex)].isComplete = true
    }

    /// Notes that what came is no request, or not the rest of one.
    mutating func receiveFault(_ fault: HTTPParserError, at now: NIODeadline) {
        headBegan = nil
        if let last = exchanges.last, !last.isComplete {
            let index = exchanges.index(before: exchanges.endIndex)
            exchanges[index].isComplete = true
            exchanges[index].isLast = true
            exchanges[index].fault = fault
        } else if exchanges.last?.fault == nil {
            exchanges.append(Exchange(fault, began: now))
        }
    }

    /// Whether the client is to be told now to send the body of its request.
    mutating func takeContinue() -> Bool {
        guard let first = exchanges.first, first.awaitsContinue else { return false }
        exchanges[exchanges.startIndex].awaitsContinue = false
        return !first.isComplete && !first.isAnswered
    }

    /// Notes that a response begins.
    ///
    /// - Returns: Whether the connection ends with it: it does too where the request isn't all there, so that the
    ///   server doesn't read on what it has no use for.
    mutating func beginResponse(at now: NIODeadline) -> Bool {
        (lastWrite, answerBegan) = (now, now)
        guard !exchanges.isEmpty else { return true }
        exchanges[exchanges.startIndex].isAnswered = true
        // The client is told with the answer to its last request to send no other one here.
        if isStopping, exchanges.count == 1 { exchanges[exchanges.startIndex].isLast = true }
        if !exchanges[exchanges.startIndex].isComplete { exchanges[exchanges.startIndex].isLast = true }
        return exchanges[exchanges.startIndex].isLast
    }

    /// Notes the end of a response.
    mutating func endResponse(at now: NIODeadline) -> Bool {
        lastWrite = now
        idleSince = now
        if headBegan != nil { headBegan = now }
        return exchanges.popFirst()?.isLast ?? true
    }

    /// Notes what was written and what of it the client has not taken.
    mutating func noteWritten(_ bytes: Int, waiting: Int, at now: NIODeadline) {
        if bytes > 0 { lastWrite = now }
        unsent.note(written: bytes, waiting: waiting, at: now)
    }

    /// Notes that the connection is to end with what is asked already.
    mutating func takeNoMore() {
        guard !exchanges.isEmpty else { return }
        exchanges[exchanges.index(before: exchanges.endIndex)].isLast = true
    }

    /// Notes that the server stops: what was asked is answered, and what is on its way.
    mutating func stop(at now: NIODeadline) {
        if stoppedAt == nil { stoppedAt = now }
    }

    /// Notes that nothing more is answered.
    mutating func end(at now: NIODeadline) {
        if endedAt == nil { endedAt = now }
        exchanges.removeAll()
    }

    /// When to look again whether the client goes on taking what was written.
    func nextLook(at now: NIODeadline) -> NIODeadline? {
        unsent.since == nil ? nil : now + .nanoseconds(TimeAmount(limits.response).nanoseconds / 3)
    }

    /// By when something must have happened, and what follows where it has not.
    var deadline: (NIODeadline, Expiry)? {
        [usualDeadline, stoppedAt.flatMap(lastDeadline)].compactMap { $0 }.min { $0.0 < $1.0 }
    }

    /// By when something must have happened after the server began to stop; an answer that is worked out has no limit.
    ///
    /// One that is sent as it is worked out has none but the time from one part to the next.
    private func lastDeadline(_ stoppedAt: NIODeadline) -> (NIODeadline, Expiry)? {
        let (whole, half) = (TimeAmount(limits.lastAnswer), TimeAmount(limits.lastAnswer / 2))
        if let behindSince = unsent.behindSince {
            return (max(stoppedAt, answerBegan, behindSince) + whole, .close)
        }
        if endedAt != nil { return (max(stoppedAt, answerBegan) + whole, .close) }
        guard let last = exchanges.last else {
            if headBegan != nil { return (stoppedAt + half, .slowHead) }
            return (max(stoppedAt, idleSince) + TimeAmount(limits.lastRequest), .close)
        }
        if !last.isComplete { return (stoppedAt + half, .slowRequest) }
        return last.isAnswered ? (max(stoppedAt, lastWrite) + whole, .close) : nil
    }

    private var usualDeadline: (NIODeadline, Expiry)? {
        if let endedAt {
            // What is still to be taken of the last response has its own time.
            guard let until = unsent.deadline else { return (endedAt + TimeAmount(limits.farewell), .close) }
            return (until, .close)
        }
        var deadlines: [(NIODeadline, Expiry)] = []
        if let until = unsent.deadline { deadlines.append((until, .close)) }
        if let last = exchanges.last {
            if !last.isComplete { deadlines.append((last.began + TimeAmount(limits.request), .slowRequest)) }
        } else if let headBegan {
            deadlines.append((headBegan + TimeAmount(limits.head), .slowHead))
        } else if unsent.since == nil {
            deadlines.append((idleSince + TimeAmount(limits.idle), .close))
        }
        return deadlines.min { $0.0 < $1.0 }
    }
}
