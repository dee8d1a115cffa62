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

/// Values of flags at one moment, which can be changed, compared, and used as a provider.
///
/// ```swift
/// let before = manager.snapshot()
/// try flags.$paymentRetries.set(5, in: "Local")
/// print(manager.snapshot().differences(from: before))  // payment_retries
/// try manager.save(before, to: "Local")
/// ```
public final class FlagSnapshot: FlagsProvider {
    /// The name that tells it from other providers.
    public let name: String
    /// The values.
    public let store: FlagValueStore?
    private let values: FlagValueStore
    /// What it held when it was made.
    let initialValues: [String: FlagValue]

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from other providers.
    ///   - values: The values, nested by key path; without any it is empty.
    public init(name: String = "Snapshot", values: [String: FlagValue] = [:]) {
        self.name = name
        self.values = FlagValueStore(values)
        initialValues = values
        store = self.values
    }

    /// Where two snapshots differ.
    ///
    /// - Parameter other: The snapshot to compare with.
    /// - Returns: The key paths of what is other in the two, or in one of them alone, sorted; none where both hold the same.
    public func differences(from other: FlagSnapshot) -> [FlagKeyPath] {
        values.tree.differences(from: other.values.tree)
    }

    /// What it is.
    public var shortDescription: String? { "Values of one moment, in memory" }

    /// A snapshot can be changed.
    public var isWritable: Bool { true }

    /// The value that the snapshot holds.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where a component above the last is neither a dictionary nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Changes the snapshot alone.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Throws: Where a component above the last is no dictionary; nothing changed then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try values.set(value, at: key) }
}
