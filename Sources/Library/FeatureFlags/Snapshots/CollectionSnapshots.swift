/// Snapshots of a collection or a group, the current one first: ``FlagsLoader/snapshots``,
/// ``FlagCollection/snapshots``.
///
/// ```swift
/// for await delivery in flags.$delivery { print(delivery.fee) }
/// ```
public struct CollectionSnapshots<Collection: FlagCollectionProtocol>: AsyncSequence, Sendable {
    let declaration: Collection

    /// Creates a consumer that gets every snapshot from now on.
    ///
    /// It is registered until it is dropped or its task is cancelled.
    public func makeAsyncIterator() -> Iterator { Iterator(declaration) }

    /// A consumer of snapshots.
    ///
    /// ```swift
    /// var snapshots = flags.snapshots.makeAsyncIterator()
    /// let now = await snapshots.next()
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private var replica: CollectionReplica
        private var events: AsyncStream<CollectionReplica.Event>.Iterator
        private let declaration: Collection
        private let flags: [any AnyFlag]

        init(_ declaration: Collection) {
            flags = declaration.memberFlags
            let (replica, events) = CollectionReplica.make(flags)
            self.replica = replica
            self.events = events.makeAsyncIterator()
            self.declaration = declaration
        }

        /// Waits for a snapshot that differs from the last one; `nil` once the task is cancelled.
        public mutating func next() async -> CollectionSnapshot<Collection>? { await next(isolation: #isolation) }

        /// Waits for a snapshot that differs from the last one; `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> CollectionSnapshot<Collection>? {
            while let event = await events.next(isolation: actor) {
                if replica.isChanged(by: event) { return CollectionSnapshot(declaration, replica.values, flags: flags) }
            }
            return nil
        }
    }
}

extension FlagsLoader {
    /// The effective values of all flags, now and in each later state, in order.
    ///
    /// Each iteration is an independent consumer that misses no state. Flags that a provider changes at once change in
    /// one snapshot. A computed value or default, and a provider without a store, are read again at each change of
    /// another source.
    public var snapshots: CollectionSnapshots<Collection> { CollectionSnapshots(declaration: loadedCollection) }
}

extension FlagCollection {
    /// The effective values of the group's flags, now and in each later state, in order.
    ///
    /// See ``FlagsLoader/snapshots``.
    public var snapshots: CollectionSnapshots<Group> { CollectionSnapshots(declaration: wrappedValue) }
}

extension FlagCollection: AsyncSequence {
    /// Creates a consumer of ``snapshots``: `for await delivery in flags.$delivery { … }`.
    public func makeAsyncIterator() -> CollectionSnapshots<Group>.Iterator { snapshots.makeAsyncIterator() }
}
