import Synchronization

/// A thread-safe, observable tree of values, nested by key path as in a file.
///
/// ```swift
/// let store = FlagValueStore(["delivery": ["fee": 3.5]])
/// try store.set(4.5, at: FlagKeyPath(components: ["delivery", "fee"]))
/// for await update in store.updates { print(update.keys) }
/// ```
///
/// A provider that keeps its values here (``FlagsProvider/store``) is not asked again until they change, and reports
/// every change. A read waits at most for the hand-over of a finished tree, never for a disk or a network.
public final class FlagValueStore: Sendable {
    /// A writer's lock, from reading the old content until the new one is handed over; readers never take it.
    ///
    /// In a store that joins others, it guards the content of each, once known.
    private let turn: Mutex<[Content?]>
    private let state: Mutex<State>

    private struct State {
        var content: Content
        var observers = Observers<FlagUpdate>()
    }

    /// Creates a store.
    ///
    /// - Parameter values: The first values.
    public init(_ values: [String: FlagValue] = [:]) {
        state = Mutex(State(content: Content(.success(.dictionary(values)))))
        turn = Mutex([])
    }

    /// Creates a store with the content and the former values of another one.
    package init(copying other: FlagValueStore) {
        state = Mutex(State(content: other.content))
        turn = Mutex([])
    }

    /// `true` also if both are unreadable for the same reason.
    package func holdsSame(as other: FlagValueStore) -> Bool { content == other.content }

    /// Creates a read-only store for ``JoinedStores`` to fill, with a number of parts in order of precedence.
    init(parts count: Int) {
        state = Mutex(State(content: Content(joining: [])))
        turn = Mutex(Array(repeating: nil, count: count))
    }

    /// All values; in a joined store, merged group by group.
    ///
    /// - Throws: An error if the values can't be read.
    public var values: [String: FlagValue] {
        get throws(FlagValueError) {
            guard case .dictionary(let entries) = try content.tree.get() else { return [:] }
            return entries
        }
    }

    /// Returns the value at a key path.
    ///
    /// A component that is a whole number is an index of an array, as in ToggleUI.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The value; `nil` for none.
    /// - Throws: An error if the values can't be read, or a component above the last is neither a dictionary nor an
    ///   array.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try Self.value(in: content, at: key)
    }

    /// Stores or removes one value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the held one.
    ///   - key: The key path; missing groups are created.
    /// - Throws: An error if the values can't be read, or a component above the last is not a dictionary. Nothing
    ///   changes then.
    public func set(_ value: FlagValue?, at key: FlagKeyPath) throws(FlagValueError) {
        try turn.withLock { (parts) throws(FlagValueError) in
            guard parts.isEmpty else {
                throw FlagValueError("\(key.text) can't be changed here; change it in the provider that has the value")
            }
            let tree = try content.tree.get()
            do throws(BlockedPathError) {
                guard try tree.value(at: key) != value else { return }
            } catch {
                throw FlagValueError(
                    "can't change \(key.text): \(error.text), not a dictionary; remove or rename that first")
            }
            let changed = tree.setting(value, at: key.components[...])
            change(to: Content(.success(changed), after: content, changing: [key]), at: [key])
        }
    }

    /// Replaces all values, and reports a change at the given key paths; none means no change.
    ///
    /// For providers that read the values in their own way.
    package func replace(with values: [String: FlagValue], changing keys: [FlagKeyPath]) {
        turn.withLock { parts in
            guard parts.isEmpty, !keys.isEmpty else { return }
            change(to: Content(.success(.dictionary(values)), after: content, changing: keys), at: keys)
        }
    }

    /// Replaces all values; a value that stays equal is not reported as changed.
    ///
    /// - Parameter values: The new values.
    public func replace(with values: [String: FlagValue]) {
        publish(.success(.dictionary(values)))
    }

    /// Makes the values unreadable until they are replaced.
    ///
    /// Until then, flags keep their last good values, marked as stale.
    ///
    /// - Parameter problem: The reason.
    public func fail(_ problem: FlagValueError) {
        publish(.failure(problem))
    }

    /// Reports that values at key paths may have changed, of a provider that keeps them elsewhere; none for any value.
    func notify(of keys: [FlagKeyPath]) {
        turn.withLock { _ in change(to: content, at: keys) }
    }

    /// Returns the last values at a key path, newest first: the last readable value, then those it replaced.
    ///
    /// A flag with a broken value uses the first of its type.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The values; none if the value was removed.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { content.lastValues(at: key) }

    /// Every later change, in order, each once, for one consumer.
    ///
    /// Pending changes are buffered in memory. The stream ends with the store.
    public var updates: AsyncStream<FlagUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagUpdate.self)
        let (_, observation) = observe({ continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { _ in observation.end() }
        return stream
    }

    /// Returns the content and observes every change after it.
    ///
    /// - Parameters:
    ///   - handOver: Called with each change under the store's lock, so that all consumers see the same order. It may
    ///     only yield to a stream, which runs no code of the consumer.
    ///   - end: Called when the store is released.
    /// - Returns: The content and the registration.
    func observe(_ handOver: @escaping @Sendable (FlagUpdate) -> Void, end: @escaping @Sendable () -> Void = {})
        -> (content: Content, Observation)
    {
        let (content, id) = state.withLock { ($0.content, $0.observers.add(handOver, end: end)) }
        return (content, Observation { [weak self] in self?.state.withLock { $0.observers.remove(id) } })
    }

    package var observerCount: Int { state.withLock { $0.observers.count } }

    /// All values; empty if they can't be read.
    var tree: FlagValue { content.readableTree }

    private var content: Content { state.withLock { $0.content } }

    private func publish(_ tree: Result<FlagValue, FlagValueError>) {
        turn.withLock { parts in
            let old = content
            guard parts.isEmpty, old.tree != tree else { return }
            let keys = old.readableTree.differences(from: Content(tree).readableTree)
            change(to: Content(tree, after: old, changing: keys), at: keys)
        }
    }

    /// Sets a part's content at its registration, unless it has changed since.
    func begin(part index: Int, with content: Content) {
        turn.withLock { parts in
            parts[index] = parts[index] ?? content
            let joined = Content(joining: parts.compactMap { $0 })
            state.withLock { $0.content = joined }
        }
    }

    /// Applies a change of a part, and reports its effect on the joined values.
    func take(_ update: FlagUpdate, ofPart index: Int) {
        turn.withLock { parts in
            // A part that becomes readable or unreadable also affects all values behind it.
            let isOtherwiseReadable = parts[index]?.problem != update.content.problem
            parts[index] = update.content
            let (old, new) = (content, Content(joining: parts.compactMap { $0 }))
            let hidden = isOtherwiseReadable ? old.readableTree.differences(from: new.readableTree) : []
            let keys = Set(update.keys + hidden).filter { old.reading(at: $0) != new.reading(at: $0) }.sorted()
            if keys.isEmpty, !update.keys.isEmpty, !isOtherwiseReadable {
                // Another part's value hides the change.
                state.withLock { $0.content = new }
            } else {
                change(to: new, at: keys)
            }
        }
    }

    private func change(to content: Content, at keys: [FlagKeyPath]) {
        state.withLock { state in
            state.content = content
            FlagGeneration.advance()
            state.observers.handOver(FlagUpdate(keys: keys, content: content))
        }
    }

    deinit {
        state.withLock { $0.observers }.end()
    }

    static func value(in content: Content, at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try content.value(at: key)
    }
}
