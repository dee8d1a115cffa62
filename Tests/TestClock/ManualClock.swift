import Synchronization

/// A clock that stands still until a test moves it on.
package final class ManualClock: Clock, Sendable {
    package struct Instant: InstantProtocol {
        package var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    /// An element for each sleep that begins.
    package let sleeps: AsyncStream<Duration>
    private let began: AsyncStream<Duration>.Continuation

    package init() { (sleeps, began) = AsyncStream.makeStream() }

    package var now: Instant { state.withLock(\.now) }
    package var minimumResolution: Duration { .zero }

    package func sleep(until end: Instant, tolerance: Duration?) async throws {
        let (id, start) = state.withLock { state in
            state.nextID += 1
            return (state.nextID, state.now)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let error: CancellationError? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return CancellationError() }
                    state.sleepers.append(Sleeper(id: id, end: end, continuation: continuation))
                    return nil
                }
                if let error { continuation.resume(throwing: error) }
                began.yield(start.duration(to: end))
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil as Sleeper?
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the time on, and wakes whoever has slept for long enough.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.sleepers.removeAll { $0.end <= now } }
            return state.sleepers.filter { $0.end <= now }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
