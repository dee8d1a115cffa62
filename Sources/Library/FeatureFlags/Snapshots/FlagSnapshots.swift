/// Snapshots of all flags, now and in each later state: ``FlagsManager/snapshots``.
///
/// ```swift
/// for await snapshot in manager.snapshots { print(try snapshot.storedValue(at: flags.$paymentRetries.keyPath) ?? 0) }
/// ```
public struct FlagSnapshots: AsyncSequence, Sendable {
    let manager: FlagsManager

    /// Creates a consumer of every later change.
    public func makeAsyncIterator() -> Iterator { Iterator(manager) }

    /// A consumer of snapshots.
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

        /// Waits for a snapshot that differs from the last one; `nil` once the task is cancelled.
        public mutating func next() async -> FlagSnapshot? { await next(isolation: #isolation) }

        /// Waits for a snapshot that differs from the last one; `nil` once the task is cancelled.
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
    /// The effective values of all flags, now and after each change.
    ///
    /// A slow consumer gets several changes in one snapshot, always including the last.
    public var snapshots: FlagSnapshots { FlagSnapshots(manager: self) }
}

/// The values of flags at one moment, to change, compare, and use as a provider.
///
/// ```swift
/// let before = manager.snapshot()
/// try flags.$paymentRetries.set(5, in: "Local")
/// print(manager.snapshot().differences(from: before))  // payment_retries
/// try manager.save(before, to: "Local")
/// ```
public final class FlagSnapshot: FlagsProvider {
    /// The snapshot's unique name.
    public let name: String
    /// The values.
    public let store: FlagValueStore?
    private let values: FlagValueStore
    /// The values at its creation.
    let initialValues: [String: FlagValue]

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - name: The snapshot's unique name.
    ///   - values: The values, nested by key path.
    public init(name: String = "Snapshot", values: [String: FlagValue] = [:]) {
        self.name = name
        self.values = FlagValueStore(values)
        initialValues = values
        store = self.values
    }

    /// Returns the differences between two snapshots.
    ///
    /// - Parameter other: The snapshot to compare with.
    /// - Returns: The key paths of different values, sorted.
    public func differences(from other: FlagSnapshot) -> [FlagKeyPath] {
        values.tree.differences(from: other.values.tree)
    }

    /// A description of a snapshot.
    public var shortDescription: String? { "Values at one moment, in memory" }

    /// Always `true`.
    public var isWritable: Bool { true }

    /// Returns the value in the snapshot.
    ///
    /// - Throws: An error if a component above the last is neither a dictionary nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Changes only the snapshot.
    ///
    /// - Throws: An error if a component above the last is not a dictionary. Nothing changes then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try values.set(value, at: key) }
}
