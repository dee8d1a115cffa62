import Synchronization

/// What is wrong with the flags of a loader or a manager, as reads and changes find it out.
public final class FlagDiagnostics: Sendable {
    private struct Subject: Hashable {
        let flag: FlagKeyPath
        let provider: String?
    }

    private struct State {
        var latest: [Subject: FlagDiagnostic] = [:]
        var observers: [Int: AsyncStream<FlagDiagnostic>.Continuation] = [:]
        var lastObserver = 0
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    init() {}

    /// What is wrong at the last look, by flag and then by provider.
    public var current: [FlagDiagnostic] {
        state.withLock { Array($0.latest.values) }
            .sorted { ($0.flag, $0.provider ?? "") < ($1.flag, $1.provider ?? "") }
    }

    /// What is found to be wrong from now on, for one consumer; the same is not said twice in a row of one flag in one
    /// provider.
    public var reports: AsyncStream<FlagDiagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagDiagnostic.self)
        let id = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = continuation
            return state.lastObserver
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[id] = nil } }
        return stream
    }

    func report(_ diagnostic: FlagDiagnostic) {
        let subject = Subject(flag: diagnostic.flag, provider: diagnostic.provider)
        state.withLock { state in
            guard state.latest.updateValue(diagnostic, forKey: subject) != diagnostic else { return }
            count.store(state.latest.count, ordering: .relaxed)
            for observer in state.observers.values { observer.yield(diagnostic) }
        }
    }

    /// Called where a flag is found to be well.
    func clear(_ flag: FlagKeyPath, in provider: String) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        state.withLock { state in
            state.latest[Subject(flag: flag, provider: provider)] = nil
            count.store(state.latest.count, ordering: .relaxed)
        }
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }
}
