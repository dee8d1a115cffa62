import FeatureFlagsXML
import Foundation

/// The requests that wait, in the order in which they came.
struct ChangeQueue {
    /// How many requests share a round at most.
    static let largestGroup = 64

    /// What ends the wait of a request.
    enum Signal {
        case answered(ChangeAnswer)
        /// Whoever waits is to settle the next group, of which its own request is the first.
        case lead
    }

    /// Who waits, and for what.
    struct Waiting {
        /// What is to be answered; `nil` where somebody waits to lead, and settles nobody else's requests then.
        let request: ChangeRequest?
        let continuation: CheckedContinuation<Signal, Never>
    }

    private(set) var waiting: [Waiting] = []
    /// Whether a group is being settled.
    var isLed = false

    mutating func add(_ request: ChangeRequest?, _ continuation: CheckedContinuation<Signal, Never>) {
        waiting.append(Waiting(request: request, continuation: continuation))
    }

    /// Takes the requests that came first, up to whoever waits to lead.
    mutating func takeRequests(_ count: Int) -> [(
        request: ChangeRequest, continuation: CheckedContinuation<Signal, Never>
    )] {
        let group = waiting.prefix(count).prefix { $0.request != nil }
        waiting.removeFirst(group.count)
        return group.compactMap { waiting in waiting.request.map { ($0, waiting.continuation) } }
    }

    /// Takes whoever came first.
    mutating func takeFirst() -> Waiting? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

extension ChangeService {
    /// How often requests are tried while another program changes the files at the same moment.
    static let maximumTries = 5

    /// Waits for the requests that came before, then settles this one together with those that wait behind it.
    ///
    /// Whoever came first settles the group, and hands what has come meanwhile to the first of those: so each is answered as
    /// soon as its own group is done, and nothing here looks at whether the task that waits is cancelled.
    func answer(to request: ChangeRequest) async -> ChangeAnswer {
        if queue.isLed {
            let signal = await withCheckedContinuation { queue.add(request, $0) }
            if case .answered(let answer) = signal { return answer }
        }
        queue.isLed = true
        defer { handOn() }
        let followers = queue.takeRequests(ChangeQueue.largestGroup - 1)
        let answers = await takingTurn([request] + followers.map(\.request))
        for (follower, answer) in zip(followers, answers.dropFirst()) {
            follower.continuation.resume(returning: .answered(answer))
        }
        return answers[0]
    }

    /// Waits for the requests that came before, then does something while none but its own are settled.
    func leading<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        if queue.isLed { _ = await withCheckedContinuation { queue.add(nil, $0) } }
        queue.isLed = true
        defer { handOn() }
        return try await body()
    }

    /// Lets whoever came first lead.
    private func handOn() {
        if let next = queue.takeFirst() { next.continuation.resume(returning: .lead) } else { queue.isLed = false }
    }

    /// Settles requests while no program that takes turns (``FolderLock``) writes their files.
    func takingTurn(_ requests: [ChangeRequest]) async -> [ChangeAnswer] {
        let files = options.isReadOnly ? [] : Set(requests.flatMap(\.changes).flatMap(urls))
        let deadline = requests.map(\.deadline).min() ?? .now
        let turn: FolderLock.Held
        do throws(FileAccessError) {
            turn = try await FolderLock.take(beside: files, until: deadline)
        } catch {
            guard requests.count > 1 else { return refused(requests, ChangeError(writing: error)) }
            var answers: [ChangeAnswer] = []
            for request in requests { answers += await takingTurn([request]) }
            return answers
        }
        let answers = await settle(requests)
        turn.end()
        return answers
    }

    /// The files that a change would replace.
    private func urls(of change: Change) -> [URL] {
        switch change.action {
        case .value:
            workspace.file(change.provider).map { $0.provider.isWritable ? [$0.provider.url] : [] } ?? []
        case .definition(.rename), .definition(.remove(withValues: true)):
            files.providers.filter(\.isWritable).map(\.url) + [files.manifestTarget]
        case .definition: [files.manifestTarget]
        }
    }

    /// Answers requests by rounds, as many as edits by other programs call for.
    private func settle(_ requests: [ChangeRequest]) async -> [ChangeAnswer] {
        await settleUnsettledChange()
        for _ in 1...Self.maximumTries {
            do {
                guard try await refreshForChange() else {
                    await waitUntilWhole()
                    continue
                }
            } catch {
                return refused(requests, error)
            }
            switch await round(requests) {
            case .settled(let answers): return answers
            case .raced: continue
            case .failed(let refusal, let isForAll):
                guard requests.count > 1, !isForAll else { return refused(requests, refusal) }
                // One of them may be what is too much for the disk.
                var answers: [ChangeAnswer] = []
                for request in requests { answers += await settle([request]) }
                return answers
            }
        }
        return requests.flatMap { refused([$0], .endlessEdits($0.key)) }
    }

    /// Runs a round on the files as they were last read, on a thread that may wait for the disk.
    ///
    /// Until it is over, the files may hold what the history does not yet: ``look(givingUp:)`` leaves them alone, so that
    /// nobody takes that for an edit from outside, and reads see the state of before.
    private func round(_ requests: [ChangeRequest]) async -> ChangeRound.Result {
        rowBeforeRound = newestRow()
        isRoundUnderWay = true
        let start = ChangeRound(
            context: context, workspace: workspace, unsettled: unsettled, deniedAttempts: deniedAttempts)
        let (end, result) = await onDisk {
            var round = start
            let result = round.run(requests)
            return (round, result)
        }
        workspace = end.workspace
        unsettled = end.unsettled
        deniedAttempts = end.deniedAttempts
        isRoundUnderWay = false
        if isLookDue {
            isLookDue = false
            watcher.tell()
        }
        tellUpdates()
        settleSoon()
        return result
    }

    /// Runs what may wait for the disk, while others are answered.
    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: body()) }
        }
    }

    private func refused(_ requests: [ChangeRequest], _ refusal: ChangeError) -> [ChangeAnswer] {
        requests.map { _ in .refused(BatchError(changes: [], cause: refusal)) }
    }
}
