import NIOCore
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
