import Synchronization

/// Values nested by key path, as a file holds them: read and written by any number of threads, and observed by any number
/// of consumers.
///
/// ```swift
/// let store = FlagValueStore(["delivery": ["fee": 3.5]])
/// try store.set(4.5, at: FlagKeyPath(components: ["delivery", "fee"]))
/// for await update in store.updates { print(update.keys) }
/// ```
///
/// A provider that keeps its values here (``FlagsProvider/store``) has them read without being asked again while nothing
/// changes, and tells of every change. A read waits for no more than another's hand-over of a finished tree, never for a
/// disk or a network.
public final class FlagValueStore: Sendable {
    /// Held by a writer from reading the old content to handing over the new one, and never by a reader; of a store that
    /// joins others, with what each of these holds, once that is known.
    private let turn: Mutex<[Content?]>
    private let state: Mutex<State>

    private struct State {
        var content: Content
        var observers = Observers<FlagUpdate>()
    }

    /// Makes a store.
    ///
    /// - Parameter values: What it holds at first.
    public init(_ values: [String: FlagValue] = [:]) {
        state = Mutex(State(content: Content(.success(.dictionary(values)))))
        turn = Mutex([])
    }

    /// Makes a store that holds what another one does now, and remembers what that does.
    package init(copying other: FlagValueStore) {
        state = Mutex(State(content: other.content))
        turn = Mutex([])
    }

    /// Whether two stores hold the same, be it that both can't be read for the same reason.
    package func holdsSame(as other: FlagValueStore) -> Bool { content == other.content }

    /// Makes a store that others fill (``JoinedStores``), in order of precedence, and that can't be changed itself.
    init(parts count: Int) {
        state = Mutex(State(content: Content(joining: [])))
        turn = Mutex(Array(repeating: nil, count: count))
    }

    /// Everything that the store holds; of one that joins others, their values laid over one another group by group.
    ///
    /// - Throws: Why the values can't be read, where they can't.
    public var values: [String: FlagValue] {
        get throws(FlagValueError) {
            guard case .dictionary(let entries) = try content.tree.get() else { return [:] }
            return entries
        }
    }

    /// The value at a key path.
    ///
    /// A component that is a whole number counts into an array from 0, as with ToggleUI.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Why the values can't be read, or that a component above the last is neither a dictionary nor an array.
    public func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try Self.value(in: content, at: key)
    }

    /// Stores or removes one value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: Where it stands; missing groups above it are made.
    /// - Throws: Why the values can't be read, or that a component above the last is no dictionary; nothing changed then.
    public func set(_ value: FlagValue?, at key: FlagKeyPath) throws(FlagValueError) {
        try turn.withLock { (parts) throws(FlagValueError) in
            guard parts.isEmpty else {
                throw FlagValueError("\(key.text) can't be changed here; change it in the provider that holds it")
            }
            let tree = try content.tree.get()
            do throws(BlockedPathError) {
                guard try tree.value(at: key) != value else { return }
            } catch {
                throw FlagValueError(
                    "\(key.text) can't be changed: \(error.text), not a dictionary; remove or rename that first")
            }
            let changed = tree.setting(value, at: key.components[...])
            change(to: Content(.success(changed), after: content, changing: [key]), at: [key])
        }
    }

    /// Replaces everything that the store holds, and tells of it as a change at the key paths that are named.
    ///
    /// - Parameters:
    ///   - values: The new values.
    ///   - keys: The key paths at which a provider that reads the values in its own way finds others; none for no change.
    package func replace(with values: [String: FlagValue], changing keys: [FlagKeyPath]) {
        turn.withLock { parts in
            guard parts.isEmpty, !keys.isEmpty else { return }
            change(to: Content(.success(.dictionary(values)), after: content, changing: keys), at: keys)
        }
    }

    /// Replaces everything that the store holds; what is the same as before is no change.
    ///
    /// - Parameter values: The new values.
    public func replace(with values: [String: FlagValue]) {
        publish(.success(.dictionary(values)))
    }

    /// Says that the values can't be read any more, until they are replaced: flags keep the last ones, marked as stale.
    ///
    /// - Parameter problem: Why.
    public func fail(_ problem: FlagValueError) {
        publish(.failure(problem))
    }

    /// What was last held at a key path, newest first: what is there now, or was while that could be read, and what that replaced.
    ///
    /// A flag whose value is broken takes the first of them that is a value of its type.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The values; none where nothing is there, or was: a value that was removed is not told.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { content.lastValues(at: key) }

    /// Every change from now on, in order, each once, for one consumer.
    ///
    /// Changes that the consumer has not asked for yet wait in memory. The stream ends with the store.
    public var updates: AsyncStream<FlagUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagUpdate.self)
        let (_, observation) = observe({ continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { _ in observation.end() }
        return stream
    }

    /// What the store holds, and from exactly that on every change.
    ///
    /// - Parameters:
    ///   - handOver: Called with each change while the store is locked, so that every consumer sees the changes in the
    ///     order in which they were made: it may do no more than yield to a stream, which runs none of the consumer's code.
    ///   - end: Called when the store is gone.
    /// - Returns: What the store holds, and the registration.
    func observe(_ handOver: @escaping @Sendable (FlagUpdate) -> Void, end: @escaping @Sendable () -> Void = {})
        -> (content: Content, Observation)
    {
        let (content, id) = state.withLock { ($0.content, $0.observers.add(handOver, end: end)) }
        return (content, Observation { [weak self] in self?.state.withLock { $0.observers.remove(id) } })
    }

    /// How many consumers are registered.
    package var observerCount: Int { state.withLock { $0.observers.count } }

    /// Everything that the store holds; empty where it can't be read.
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

    /// Takes over what a part held when it was registered with, unless it has told of a change since.
    func begin(part index: Int, with content: Content) {
        turn.withLock { parts in
            parts[index] = parts[index] ?? content
            let joined = Content(joining: parts.compactMap { $0 })
            state.withLock { $0.content = joined }
        }
    }

    /// Takes over a change of a part, and tells of what is other than before for it.
    func take(_ update: FlagUpdate, ofPart index: Int) {
        turn.withLock { parts in
            // Where a part begins or stops being readable, so does what the parts behind it hold.
            let isOtherwiseReadable = parts[index]?.problem != update.content.problem
            parts[index] = update.content
            let (old, new) = (content, Content(joining: parts.compactMap { $0 }))
            let hidden = isOtherwiseReadable ? old.readableTree.differences(from: new.readableTree) : []
            let keys = Set(update.keys + hidden).filter { old.reading(at: $0) != new.reading(at: $0) }.sorted()
            if keys.isEmpty, !update.keys.isEmpty, !isOtherwiseReadable {
                // What changed is hidden below another part's value.
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
