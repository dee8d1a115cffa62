import NIOCore

/// How many connections a server holds, and how long each may keep it waiting.
///
/// A limit ends a connection that makes the server wait; a response that is being worked out, or that the client goes
/// on taking, is never cut off.
public struct ConnectionLimits: Hashable, Sendable {
    /// How many connections may be open at once.
    ///
    /// One more takes the place of the one that has kept the server waiting longest.
    public var connections: Int
    /// How long the head of a request may take from its first byte to its last.
    public var head: Duration
    /// How long a request may take from its first byte to its last.
    public var request: Duration
    /// How long a connection may stay silent before a request.
    public var idle: Duration
    /// How long a client may leave a response lying without taking 4 KiB more of it.
    public var response: Duration
    /// How long what a client still sends is thrown away after the last response, so that it gets to read that.
    public var farewell: Duration
    /// How long a connection without a request stays open once the server stops: one may be on its way.
    public var lastRequest: Duration
    /// How long a client may take the last answer once the server stops; the rest of a request has half of that to arrive.
    public var lastAnswer: Duration
    /// How large the head of a request may be, in bytes: its first line and its fields together.
    public var headBytes: Int
    /// How many fields the head of a request may have.
    public var headFields: Int

    /// Names limits; those left out are what the dashboard's own server keeps to.
    ///
    /// - Parameters:
    ///   - connections: How many connections may be open at once.
    ///   - head: How long a request's head may take.
    ///   - request: How long a whole request may take.
    ///   - idle: How long a connection may stay silent before a request.
    ///   - response: How long a client may leave a response lying.
    ///   - farewell: How long a connection that is ended stays open for reading.
    ///   - lastRequest: How long a connection without a request stays open once the server stops.
    ///   - lastAnswer: How long a client may take the last answer once the server stops.
    ///   - headBytes: How large a request's head may be, in bytes.
    ///   - headFields: How many fields a request's head may have.
    public init(
        connections: Int = 256, head: Duration = .seconds(5), request: Duration = .seconds(15),
        idle: Duration = .seconds(30), response: Duration = .seconds(15), farewell: Duration = .seconds(2),
        lastRequest: Duration = .milliseconds(500), lastAnswer: Duration = .seconds(4),
        headBytes: Int = 64 * 1024, headFields: Int = 100
    ) {
        self.connections = connections
        self.head = head
        self.request = request
        self.idle = idle
        self.response = response
        self.farewell = farewell
        self.lastRequest = lastRequest
        self.lastAnswer = lastAnswer
        self.headBytes = headBytes
        self.headFields = headFields
    }
}

extension ConnectionLimits {
    /// How many connections may be accepted beyond ``connections``, until those whose places they take are closed.
    public static let surplus = 32

    /// How many connections may be accepted and not closed yet.
    var accepted: Int { connections + Self.surplus }
}

/// Whose turn it is on a connection, and since when.
enum ConnectionTurn: Hashable, Sendable {
    /// The server waits for the client: to send, or to take what was sent.
    case client(since: NIODeadline)
    /// A response has begun and the client has taken all there is of it so far, as of a stream of events.
    case stream(since: NIODeadline)
    /// The client waits for the server.
    case server

    /// The one of several connections to close first.
    ///
    /// That is who has kept the server waiting longest, else the stream that has been quiet longest, and never one that
    /// waits for the server.
    static func firstToClose<ID>(of turns: [ID: ConnectionTurn]) -> ID? {
        func oldest(_ since: (ConnectionTurn) -> NIODeadline?) -> ID? {
            turns.compactMap { id, turn in since(turn).map { (id, $0) } }.min { $0.1 < $1.1 }?.0
        }
        let waiting = oldest { if case .client(let since) = $0 { since } else { nil } }
        return waiting ?? oldest { if case .stream(let since) = $0 { since } else { nil } }
    }
}

/// What a client has not taken yet of what was written to it.
struct UnsentBytes {
    /// How much a client must take to be counted as going on, in bytes.
    private static let step = 4096

    private let patience: TimeAmount
    private var written = 0
    private var taken = 0
    /// Since when the client has taken less than a step, where anything waits for it.
    private(set) var since: NIODeadline?
    /// Since when the client has not taken all that waited for it then.
    private(set) var behindSince: NIODeadline?
    /// How many bytes were written by then.
    private var writtenThen = 0

    /// - Parameter patience: How long a client may take less than a step.
    init(patience: TimeAmount) {
        self.patience = patience
    }

    /// By when the client must have taken a step or all.
    var deadline: NIODeadline? { since.map { $0 + patience } }

    /// Notes what was written and what of it still waits.
    mutating func note(written bytes: Int, waiting: Int, at now: NIODeadline) {
        written += bytes
        guard waiting > 0 else {
            (since, behindSince) = (nil, nil)
            taken = written
            return
        }
        if behindSince == nil || written - waiting >= writtenThen { (behindSince, writtenThen) = (now, written) }
        let progress = written - waiting - taken
        guard since == nil || progress >= Self.step else { return }
        since = now
        taken += max(progress, 0)
    }
}
