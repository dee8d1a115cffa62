import NIOCore
import NIOHTTP1

/// The state of a connection, with its deadlines.
///
/// It knows no channels: its owner reports events with their times.
struct ConnectionState {
    enum Expiry: Hashable {
        /// Nothing had begun that could be answered.
        case close
        case slowHead, slowRequest
    }

    private let limits: ConnectionLimits
    /// Unanswered, oldest first; only the newest can be incomplete.
    private var exchanges = CircularBuffer<Exchange>()
    /// Start of the wait for another request.
    private var idleSince: NIODeadline
    /// Arrival of the first byte of an incomplete head.
    private var headBegan: NIODeadline?
    /// The connection is ended, except for reading.
    private var endedAt: NIODeadline?
    private var stoppedAt: NIODeadline?
    private var unsent: UnsentBytes
    private var lastWrite: NIODeadline
    private var answerBegan: NIODeadline

    init(limits: ConnectionLimits, now: NIODeadline) {
        self.limits = limits
        idleSince = now
        lastWrite = now
        answerBegan = now
        unsent = UnsentBytes(patience: TimeAmount(limits.response))
    }

    var isEnded: Bool { endedAt != nil }

    var isStopping: Bool { stoppedAt != nil }

    /// Incoming bytes belong to no request.
    var ignoresBytes: Bool { isEnded || exchanges.last.map { $0.isLast && $0.isComplete } ?? false }

    var isReading: Bool { exchanges.last.map { !$0.isComplete } ?? false }

    var current: Exchange? { exchanges.first }

    /// The connection can answer by itself without interrupting a response.
    var mayAnswer: Bool { !isEnded && exchanges.count <= 1 && exchanges.first?.isAnswered != true }

    var turn: ConnectionTurn {
        if let endedAt { return .client(since: endedAt) }
        if let since = unsent.since { return .client(since: since) }
        guard let first = exchanges.first else { return .client(since: idleSince) }
        if !first.isComplete { return .client(since: first.began) }
        return first.isAnswered ? .stream(since: lastWrite) : .server
    }

    /// Begins reading; until then, the client waited for the server.
    mutating func open(at now: NIODeadline) { idleSince = now }

    mutating func receiveBytes(at now: NIODeadline) {
        if headBegan == nil, exchanges.last?.isComplete ?? true { headBegan = now }
    }

    mutating func receiveHead(_ head: HTTPRequestHead, at now: NIODeadline) {
        exchanges.append(Exchange(head, began: headBegan ?? now))
        headBegan = nil
    }

    mutating func receiveEnd() {
        guard !exchanges.isEmpty else { return }
        exchanges[exchanges.index(before: exchanges.endIndex)].isComplete = true
    }

    /// Notes a malformed request, or a malformed rest of one.
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

    /// `true` once, to send `100 Continue` now.
    mutating func takeContinue() -> Bool {
        guard let first = exchanges.first, first.awaitsContinue else { return false }
        exchanges[exchanges.startIndex].awaitsContinue = false
        return !first.isComplete && !first.isAnswered
    }

    /// - Returns: `true` if the connection ends with the response, also to avoid reading the rest of an incomplete
    ///   request.
    mutating func beginResponse(at now: NIODeadline) -> Bool {
        (lastWrite, answerBegan) = (now, now)
        guard !exchanges.isEmpty else { return true }
        exchanges[exchanges.startIndex].isAnswered = true
        // The answer to the last request tells the client to send no more.
        if isStopping, exchanges.count == 1 { exchanges[exchanges.startIndex].isLast = true }
        if !exchanges[exchanges.startIndex].isComplete { exchanges[exchanges.startIndex].isLast = true }
        return exchanges[exchanges.startIndex].isLast
    }

    /// Returns whether the connection ends.
    mutating func endResponse(at now: NIODeadline) -> Bool {
        lastWrite = now
        idleSince = now
        if headBegan != nil { headBegan = now }
        return exchanges.popFirst()?.isLast ?? true
    }

    mutating func noteWritten(_ bytes: Int, waiting: Int, at now: NIODeadline) {
        if bytes > 0 { lastWrite = now }
        unsent.note(written: bytes, waiting: waiting, at: now)
    }

    /// Ends the connection after the pending requests.
    mutating func takeNoMore() {
        guard !exchanges.isEmpty else { return }
        exchanges[exchanges.index(before: exchanges.endIndex)].isLast = true
    }

    /// Pending and arriving requests are still answered.
    mutating func stop(at now: NIODeadline) {
        if stoppedAt == nil { stoppedAt = now }
    }

    mutating func end(at now: NIODeadline) {
        if endedAt == nil { endedAt = now }
        exchanges.removeAll()
    }

    func nextLook(at now: NIODeadline) -> NIODeadline? {
        unsent.since == nil ? nil : now + .nanoseconds(TimeAmount(limits.response).nanoseconds / 3)
    }

    var deadline: (NIODeadline, Expiry)? {
        [usualDeadline, stoppedAt.flatMap(lastDeadline)].compactMap { $0 }.min { $0.0 < $1.0 }
    }

    /// Returns the deadline while the server stops.
    ///
    /// An answer being worked out has none, a streamed one from part to part.
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
            // The unread rest of the last response has its own deadline.
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
