/// Snapshots of all flags, one for now and one for each state after it: ``FlagsManager/snapshots``.
///
/// ```swift
/// for await snapshot in manager.snapshots { print(try snapshot.storedValue(at: flags.$paymentRetries.keyPath) ?? 0) }
/// ```
public struct FlagSnapshots: AsyncSequence, Sendable {
    let manager: FlagsManager

    /// Registers a consumer of its own, which is told of every change from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(manager) }

    /// One consumer of snapshots.
    ///
    /// ```swift
    /// var snapshots = manager.snapshots.makeAsyncIterator()
    /// let now = await snapshots.next()
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private let manager: FlagsManager
        private var changes: FlagChangeStream.Iterator
        private var last: [String: FlagValue]?

        init(_ manager: FlagsManager) {
            self.manager = manager
            changes = manager.changes.makeAsyncIterator()
        }

        /// Waits for a snapshot that differs from the last one.
        ///
        /// - Returns: The snapshot; `nil` once the task is cancelled.
        public mutating func next() async -> FlagSnapshot? { await next(isolation: #isolation) }

        /// Waits for a snapshot that differs from the last one.
        ///
        /// - Parameter actor: The actor to wait on.
        /// - Returns: The snapshot; `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagSnapshot? {
            while true {
                if last != nil { guard await changes.next(isolation: actor) != nil else { return nil } }
                let snapshot = manager.snapshot()
                guard snapshot.initialValues != last else { continue }
                last = snapshot.initialValues
                return snapshot
            }
        }
    }
}

extension FlagsManager {
    /// The effective values of all flags now, and then after each change that makes them others.
    ///
    /// Changes that follow one another faster than snapshots are asked for may be in one of them; the last one has them
    /// all.
    public var snapshots: FlagSnapshots { FlagSnapshots(manager: self) }
}
