import Synchronization

/// A look at source code that goes on beside a task, which does not wait for it once it is cancelled.
final class SourceLook: Sendable {
    private struct State {
        var isStopped = false
        var continuation: CheckedContinuation<SourceIndex.Findings, any Error>?
    }

    private let state = Mutex(State())

    /// Begins the look.
    ///
    /// - Parameter continuation: The task that waits for the outcome.
    /// - Returns: `false` where the look was stopped before; the task goes on then.
    func begin(_ continuation: CheckedContinuation<SourceIndex.Findings, any Error>) -> Bool {
        let begins = state.withLock { state in
            if !state.isStopped { state.continuation = continuation }
            return !state.isStopped
        }
        if !begins { continuation.resume(throwing: CancellationError()) }
        return begins
    }

    /// Tells the task the outcome, unless the task was cancelled before.
    ///
    /// - Parameter outcome: What was found.
    func end(_ outcome: Result<SourceIndex.Findings, any Error>) { takeContinuation()?.resume(with: outcome) }

    /// Has the task go on without the outcome.
    func stop() {
        state.withLock { $0.isStopped = true }
        takeContinuation()?.resume(throwing: CancellationError())
    }

    /// Whether the look is to go on.
    ///
    /// - Throws: `CancellationError` where it was stopped.
    func check() throws(CancellationError) {
        if state.withLock(\.isStopped) { throw CancellationError() }
    }

    private func takeContinuation() -> CheckedContinuation<SourceIndex.Findings, any Error>? {
        state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
    }
}
