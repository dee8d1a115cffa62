import NIOCore

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
