import NIOCore

/// Limits of a server's connections and their times.
///
/// They end connections that make the server wait, never one whose response is being worked out or read.
package struct ConnectionLimits: Hashable, Sendable {
    /// Open connections.
    ///
    /// Another one displaces the one that has kept the server waiting longest.
    package var connections: Int
    /// Time for a request's head, from first to last byte.
    package var head: Duration
    /// Time for a request, from first to last byte.
    package var request: Duration
    /// Silence before a request.
    package var idle: Duration
    /// A client must read at least 4 KiB of a response in this time.
    package var response: Duration
    /// Time for discarding input after the last response, so that the client can read it.
    package var farewell: Duration
    /// Time for a request to arrive on an idle connection when the server stops.
    package var lastRequest: Duration
    /// Time for the last answer when the server stops; the rest of a request may take half of it.
    package var lastAnswer: Duration
    /// Size of a request's head in bytes, with the first line.
    package var headBytes: Int
    package var headFields: Int

    /// The defaults are the dashboard's own.
    package init(
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
    /// Connections accepted beyond ``connections``, until those that they displace are closed.
    package static let surplus = 32

    var accepted: Int { connections + Self.surplus }
}

enum ConnectionTurn: Hashable, Sendable {
    /// The server waits for the client to send or to read.
    case client(since: NIODeadline)
    /// The client has read all of an unfinished response.
    case stream(since: NIODeadline)
    /// The client waits for the server.
    case server

    /// Returns the connection to close first.
    ///
    /// It has kept the server waiting longest, else is the quietest stream, and never waits for the server.
    static func firstToClose<ID>(of turns: [ID: ConnectionTurn]) -> ID? {
        func oldest(_ since: (ConnectionTurn) -> NIODeadline?) -> ID? {
            turns.compactMap { id, turn in since(turn).map { (id, $0) } }.min { $0.1 < $1.1 }?.0
        }
        let waiting = oldest { if case .client(let since) = $0 { since } else { nil } }
        return waiting ?? oldest { if case .stream(let since) = $0 { since } else { nil } }
    }
}

/// Bytes of responses that a client has not read yet.
struct UnsentBytes {
    private static let step = 4096

    private let patience: TimeAmount
    private var written = 0
    private var taken = 0
    /// Start of the time without a step, while bytes wait.
    private(set) var since: NIODeadline?
    /// Start of the time for reading everything that waited then.
    private(set) var behindSince: NIODeadline?
    private var writtenThen = 0

    init(patience: TimeAmount) {
        self.patience = patience
    }

    /// The time by which the client must have read a step, or everything.
    var deadline: NIODeadline? { since.map { $0 + patience } }

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
