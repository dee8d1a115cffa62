import Synchronization

/// Values nested by key path, as a file holds them: read and written by any number of threads, and observed by any number
/// of consumers.
///
/// A provider that keeps its values here (``FlagsProvider/store``) has them read without being asked again while nothing
/// changes, and tells of every change. A read waits for no more than another's hand-over of a finished tree, never for a
/// disk or a network.
public final class FlagValueStore: Sendable {
    /// All that is held, or why it can't be read.
    typealias Content = Result<FlagValue, FlagValueProblem>

    private let state: Mutex<State>

    fileprivate struct State {
        var content: Content
        var observers: [Int: @Sendable (FlagUpdate) -> Void] = [:]
        var lastObserver = 0
    }

    /// Makes a store.
    ///
    /// - Parameter values: What it holds at first.
    public init(_ values: [String: FlagValue] = [:]) {
        state = Mutex(State(content: .success(.dictionary(values))))
    }

    /// Everything that the store holds.
    ///
    /// - Throws: Why the values can't be read, where they can't.
    public var values: [String: FlagValue] {
        get throws(FlagValueProblem) {
            guard case .dictionary(let entries) = try state.withLock({ $0.content }).get() else { return [:] }
            return entries
        }
    }

    /// The value at a key path.
    ///
    /// - Parameter key: Where it stands.
    /// - Returns: `nil` where there is none.
    /// - Throws: Why the values can't be read, or that a component above the last is no dictionary.
    public func value(at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue? {
        try Self.value(in: state.withLock { $0.content }, at: key)
    }

    /// Stores or removes one value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: Where it stands; missing groups above it are made.
    /// - Throws: Why the values can't be read, or that a component above the last is no dictionary; nothing changed then.
    public func set(_ value: FlagValue?, at key: FlagKeyPath) throws(FlagValueProblem) {
        try state.withLock { (state) throws(FlagValueProblem) in
            let old = try Self.value(in: state.content, at: key)
            guard old != value, case .success(let tree) = state.content else { return }
            state.change(to: .success(tree.setting(value, at: key.components[...])), at: [key])
        }
    }

    /// Replaces everything that the store holds; what is the same as before is no change.
    ///
    /// - Parameter values: The new values.
    public func replace(with values: [String: FlagValue]) {
        publish(.success(.dictionary(values)))
    }

    /// Says that the values can't be read any more, until they are replaced.
    ///
    /// - Parameter problem: Why.
    public func fail(_ problem: FlagValueProblem) {
        publish(.failure(problem))
    }

    /// Every change from now on, in order, each once, for one consumer.
    ///
    /// Changes that the consumer has not asked for yet wait in memory.
    public var updates: AsyncStream<FlagUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagUpdate.self)
        let (_, observation) = observe { continuation.yield($0) }
        continuation.onTermination = { _ in observation.end() }
        return stream
    }

    /// What the store holds, and from exactly that on every change.
    ///
    /// - Parameter handOver: Called with each change while the store is locked, so that every consumer sees the changes in
    ///   the order in which they were made: it may do no more than yield to a stream, which runs none of the consumer's
    ///   code.
    /// - Returns: What is held, and the registration.
    func observe(_ handOver: @escaping @Sendable (FlagUpdate) -> Void) -> (content: Content, Observation) {
        let (content, id) = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = handOver
            return (state.content, state.lastObserver)
        }
        return (content, Observation { [weak self] in self?.state.withLock { $0.observers[id] = nil } })
    }

    private func publish(_ content: Content) {
        state.withLock { state in
            guard state.content != content else { return }
            let keys = Self.tree(state.content).differences(from: Self.tree(content))
            state.change(to: content, at: keys)
        }
    }

    private static func tree(_ content: Content) -> FlagValue {
        if case .success(let tree) = content { tree } else { .dictionary([:]) }
    }

    static func value(in content: Content, at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue? {
        let tree = try content.get()
        do throws(PathBlock) {
            return try tree.value(at: key)
        } catch {
            throw FlagValueProblem("\(error.text), not a dictionary, so \(key.text) can't be read")
        }
    }
}

extension FlagValueStore.State {
    mutating func change(to content: FlagValueStore.Content, at keys: [FlagKeyPath]) {
        self.content = content
        FlagGeneration.advance()
        for handOver in observers.values { handOver(FlagUpdate(keys: keys, content: content)) }
    }
}
