/// A change of what a provider holds.
///
/// ```swift
/// if let updates = local.didUpdateValueForKey() {
///     for await update in updates where update.concerns(flags.$paymentRetries.keyPath) {
///         print(update.keys)
///     }
/// }
/// ```
public struct FlagUpdate: Sendable {
    /// The key paths whose values are other than before, sorted; of a group that came or went, those of its values.
    ///
    /// None where more than any list could name may be other: the provider's values stopped or began being readable, and none
    /// was there before or after. Ask ``concerns(_:)`` rather than searching the list.
    public let keys: [FlagKeyPath]
    /// What the provider holds after the change.
    let content: FlagValueStore.Content

    /// The value after the change.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none any more.
    /// - Throws: Why the provider's values can't be read any more.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try FlagValueStore.value(in: content, at: key)
    }

    /// Whether the value at a key path may be another than before: a part of it is, or a group that it stands in.
    ///
    /// - Parameter key: The key path of a flag.
    /// - Returns: `true` where it may.
    public func concerns(_ key: FlagKeyPath) -> Bool {
        keys.isEmpty || keys.contains { $0.isInside(key) || key.isInside($0) }
    }
}

/// Who is told of each event of one source.
struct Observers<Event: Sendable> {
    private struct Observer {
        let handOver: @Sendable (Event) -> Void
        let end: @Sendable () -> Void
    }

    private var observers: [Int: Observer] = [:]
    private var last = 0

    var count: Int { observers.count }

    /// Adds one that is told from now on, and of the end of the source.
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
    /// Ends the registration.
    let end: @Sendable () -> Void
}
