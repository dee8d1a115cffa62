import Foundation
import Synchronization

/// A look at source code that goes on beside a task, which does not wait for it once it is cancelled.
final class SourceLook: Sendable {
    private struct State {
        var isStopped = false
        var continuation: CheckedContinuation<SourceIndex.Findings, any Error>?
        /// Reads a file for the look, which need not be waited for.
        var reader: Process?
    }

    private let state = Mutex(State())

    /// Begins the look.
    ///
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
    func end(_ outcome: Result<SourceIndex.Findings, any Error>) { takeContinuation()?.resume(with: outcome) }

    /// Has the task go on without the outcome.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.reader?.terminate()
        }
        takeContinuation()?.resume(throwing: CancellationError())
    }

    /// Whether the look is to go on.
    ///
    /// - Throws: `CancellationError` where it was stopped.
    func check() throws(CancellationError) {
        if state.withLock(\.isStopped) { throw CancellationError() }
    }

    /// Ends a process as soon as the look is stopped.
    ///
    /// - Parameter reader: The process, which runs; `nil` once it has ended.
    func watch(_ reader: Process?) {
        state.withLock { state in
            state.reader = reader
            if state.isStopped { reader?.terminate() }
        }
    }

    private func takeContinuation() -> CheckedContinuation<SourceIndex.Findings, any Error>? {
        state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
    }
}
