import Foundation
import Synchronization

/// Asks a server at intervals, and at each event of a stream.
///
/// Requests are serial. Their tasks retain this object, and this object no provider, whose end stops them.
final class RemoteFollower: Sendable {
    struct Plan: Sendable {
        /// The time from an answer to the next request, while no stream of events is open.
        let interval: Duration
        let backoff: Backoff
        let clock: any Clock<Duration>
    }

    /// `nil` for an answer.
    typealias Outcome = RemoteError?

    private struct State {
        var fetching: Task<Outcome, Never>?
        /// A request that has not started, so that its answer includes all changes so far.
        var waiting: Task<Outcome, Never>?
        var polling: Task<Void, Never>?
        var streaming: (reference: String, stream: RemoteStream, task: Task<Void, Never>)?
        var wake: AsyncStream<Void>.Continuation?
        /// Set for a request, rather than only a new timer.
        var isDue = false
        /// Set while the server asks for a pause, which its events don't end.
        var isHeldOff = false
        var listeners: [UUID: AsyncStream<Outcome>.Continuation] = [:]
    }

    let values: RemoteValues
    let plan: Plan
    let client: RemoteClient
    private let request: RemoteRequest
    private let events: RemoteProvider.Events
    private let state = Mutex(State())

    init(
        _ request: RemoteRequest, events: RemoteProvider.Events, values: RemoteValues, client: RemoteClient, plan: Plan
    ) {
        (self.request, self.events, self.values, self.client, self.plan) = (request, events, values, client, plan)
    }

    func ask() async -> Outcome { await enqueued().value }

    @discardableResult
    func start() -> Task<Outcome, Never> {
        let first = enqueued()
        state.withLock { state in
            guard state.polling == nil else { return }
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.wake = wake
            state.polling = Task { await poll(wakes, after: first) }
        }
        if case .at(let reference) = events { stream(at: reference) }
        return first
    }

    /// Cancels all requests and streams without waiting for their end.
    func cancel() {
        let (tasks, listeners) = state.withLock { state in
            defer { state = State() }
            values.note(isStreaming: false)
            let questions = [state.fetching, state.waiting].compactMap { $0 }
            return (
                questions.map { task in { task.cancel() } }
                    + [state.polling, state.streaming?.task].compactMap { $0 }.map { task in { task.cancel() } },
                Array(state.listeners.values)
            )
        }
        for cancel in tasks { cancel() }
        for listener in listeners { listener.finish() }
    }

    func stop() async {
        cancel()
        await client.close()
    }

    func outcomes() -> AsyncStream<Outcome> {
        let (stream, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let id = UUID()
        state.withLock { $0.listeners[id] = continuation }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
        return stream
    }

    func askSoon() { wakePoller { $0.isDue = $0.isDue || !$0.isHeldOff } }

    /// Notes the state of the followed stream, which determines the time of the next request.
    func note(isStreaming: Bool, by stream: RemoteStream) {
        let isFollowed = state.withLock { state in
            guard state.streaming?.stream === stream else { return false }
            values.note(isStreaming: isStreaming)
            return true
        }
        guard isFollowed else { return }
        if isStreaming { askSoon() } else { wakePoller { _ in } }
    }

    private func wakePoller(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            return state.wake
        }?.yield()
    }

    private func enqueued() -> Task<Outcome, Never> {
        state.withLock { state in
            if let waiting = state.waiting { return waiting }
            let before = state.fetching
            let task = Task {
                _ = await before?.value
                begin()
                return await fetch()
            }
            state.waiting = task
            return task
        }
    }

    private func begin() {
        // Cancelled tasks are no longer in the state.
        guard !Task.isCancelled else { return }
        state.withLock { state in
            (state.fetching, state.waiting) = (state.waiting, nil)
        }
    }

    private func fetch() async -> Outcome {
        guard !Task.isCancelled else { return .stopped }
        let outcome: Outcome
        do throws(RemoteError) {
            if let answer = try await client.ask(request, knowing: values.version) {
                guard !Task.isCancelled else { return .stopped }
                try values.take(answer, from: request.address)
            } else {
                values.confirm()
            }
            outcome = nil
        } catch {
            guard !Task.isCancelled else { return .stopped }
            values.report(error, of: .answer)
            outcome = error
        }
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(outcome) }
        return outcome
    }

    private func poll(_ wakes: AsyncStream<Void>, after first: Task<Outcome, Never>) async {
        var wakes = wakes.makeAsyncIterator()
        var backoff = plan.backoff
        var question = first
        repeat {
            let outcome = await question.value
            guard !Task.isCancelled else { return }
            let wait = outcome.map { backoff.next(askedFor: $0.askedFor) }
            state.withLock { state in
                state.isHeldOff = outcome?.askedFor != nil
                // Events from before the pause wait as well.
                if state.isHeldOff { state.isDue = false }
            }
            if outcome == nil {
                backoff.reset()
                if case .offered = events, let reference = values.eventStream { stream(at: reference) }
            }
            guard await isDue(after: wait, &wakes) else { return }
            question = enqueued()
        } while !Task.isCancelled
    }

    /// Waits until a request is due, for `wait` after a failure whatever the stream; `false` ends the requests.
    private func isDue(after wait: Duration?, _ wakes: inout AsyncStream<Void>.Iterator) async -> Bool {
        var timer = timer(wait)
        defer { timer?.cancel() }
        while await wakes.next() != nil {
            let isDue = state.withLock { state in
                defer { state.isDue = false }
                return state.isDue
            }
            if isDue { return true }
            guard wait == nil else { continue }
            timer?.cancel()
            timer = self.timer(nil)
        }
        return false
    }

    private func timer(_ wait: Duration?) -> Task<Void, any Error>? {
        let pause = wait ?? (values.status.isStreaming ? nil : plan.interval)
        return pause.map { pause in
            Task {
                try await plan.clock.sleep(for: pause)
                wakePoller { $0.isDue = true }
            }
        }
    }

    private func stream(at reference: String) {
        let address: RemoteAddress
        do throws(RemoteError) {
            address = try request.address.resolving(reference)
            if case .offered = events, address.origin != request.address.origin {
                throw .unusable(
                    request.address,
                    "offers an event stream at a different origin, \(address), which is not followed; set it as "
                        + "`events` if it is correct")
            }
        } catch {
            return values.report(error, of: .stream)
        }
        let old = state.withLock { state -> Task<Void, Never>? in
            guard state.wake != nil, state.streaming?.reference != reference else { return nil }
            let old = state.streaming?.task
            if old != nil { values.note(isStreaming: false) }
            let stream = RemoteStream(address: address, follower: self)
            state.streaming = (reference, stream, Task { await stream.follow() })
            return old
        }
        old?.cancel()
    }
}
