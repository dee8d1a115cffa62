/// A change of what a provider holds.
///
/// ```swift
/// if let updates = local.updates {
///     for await update in updates where update.concerns(flags.$paymentRetries.keyPath) {
///         print(update.keys)
///     }
/// }
/// ```
public struct FlagUpdate: Sendable {
    /// The key paths of the changed values, sorted; of an added or removed group, those of its values.
    ///
    /// Empty if no list can name them: the values became readable or unreadable, and there were none before or after.
    /// Use ``concerns(_:)`` instead of searching the list.
    public let keys: [FlagKeyPath]
    /// The content after the change.
    let content: FlagValueStore.Content

    /// Returns the value after the change.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The value; `nil` if there is none.
    /// - Throws: An error if the provider's values have become unreadable.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try FlagValueStore.value(in: content, at: key)
    }

    /// Returns `true` if the value at a key path, a part of it, or a group around it may have changed.
    public func concerns(_ key: FlagKeyPath) -> Bool {
        keys.isEmpty || keys.contains { $0.isInside(key) || key.isInside($0) }
    }
}

/// The observers of one source.
struct Observers<Event: Sendable> {
    private struct Observer {
        let handOver: @Sendable (Event) -> Void
        let end: @Sendable () -> Void
    }

    private var observers: [Int: Observer] = [:]
    private var last = 0

    var count: Int { observers.count }

    /// Adds an observer of all later events, and of the end of the source.
    mutating func add(_ handOver: @escaping @Sendable (Event) -> Void, end: @escaping @Sendable () -> Void = {}) -> Int
    {
        last += 1
        observers[last] = Observer(handOver: handOver, end: end)
        return last
    }

    mutating func remove(_ id: Int) { observers[id] = nil }

    func handOver(_ event: Event) {
        for observer in observers.values { observer.handOver(event) }
    }

    func end() {
        for observer in observers.values { observer.end() }
    }
}

/// A registration for changes, until it is ended.
struct Observation: Sendable {
    let end: @Sendable () -> Void
}
