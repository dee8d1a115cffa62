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

    /// Held by a writer from reading the old content to handing over the new one, and never by a reader.
    private let turn = Mutex(())
    private let state: Mutex<State>

    private struct State {
        var content: Content
        var observers = Observers<FlagUpdate>()
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
            guard case .dictionary(let entries) = try content.get() else { return [:] }
            return entries
        }
    }

    /// The value at a key path.
    ///
    /// - Parameter key: Where it stands.
    /// - Returns: `nil` where there is none.
    /// - Throws: Why the values can't be read, or that a component above the last is no dictionary.
    public func value(at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue? {
        try Self.value(in: content, at: key)
    }

    /// Stores or removes one value.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: Where it stands; missing groups above it are made.
    /// - Throws: Why the values can't be read, or that a component above the last is no dictionary; nothing changed then.
    public func set(_ value: FlagValue?, at key: FlagKeyPath) throws(FlagValueProblem) {
        try turn.withLock { (_) throws(FlagValueProblem) in
            let tree = try content.get()
            do throws(PathBlock) {
                guard try tree.value(at: key) != value else { return }
            } catch {
                throw FlagValueProblem(
                    "\(key.text) can't be changed: \(error.text), not a dictionary; remove or rename that first")
            }
            change(to: .success(tree.setting(value, at: key.components[...])), at: [key])
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

    private var content: Content { state.withLock { $0.content } }

    private func publish(_ content: Content) {
        turn.withLock { _ in
            let old = self.content
            guard old != content else { return }
            change(to: content, at: Self.tree(old).differences(from: Self.tree(content)))
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
