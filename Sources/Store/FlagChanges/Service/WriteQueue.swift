import DurableFiles
import Foundation

extension ChangeService {
    /// Makes a change: applies all rules, edits the file's bytes and records it.
    ///
    /// Waits for earlier changes and other writers, while reads go on. The change is made even if the task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - author: The author.
    /// - Returns: The history row, or that nothing changed; durable by then.
    /// - Throws: ``ChangeError``; unless it says otherwise, neither file nor history has the change.
    public func apply(_ change: Change, by author: ChangeAuthor) async throws(ChangeError) -> ChangeOutcome {
        switch await queue.answer(to: ChangeRequest([change], by: author).naming(files)) {
        case .success(let outcomes): return outcomes[0]
        case .failure(let refusal): throw refusal.cause
        }
    }

    /// Makes all changes of a request or none, each on top of those before it.
    ///
    /// Their rows share one ``HistoryEvent/batch``.
    package func apply(_ request: ChangeRequest) async throws(BatchError) -> [ChangeOutcome] {
        try await queue.answer(to: request.naming(files)).get()
    }

    /// Makes the changes of a request if `isStillSo` returns true; otherwise returns `nil`.
    ///
    /// `isStillSo` is called after earlier changes. It must only read, since no other change is made meanwhile.
    package func apply(
        _ request: ChangeRequest, where isStillSo: @escaping @Sendable () async throws -> Bool
    ) async throws -> [ChangeOutcome]? {
        let request = request.naming(files)
        return try await queue.leading { [served, queue, context] in
            var version = request.version
            for _ in 1...WriteQueue.maximumTries {
                let request = ChangeRequest(
                    request.changes, by: request.author, asOf: version, answering: request.question)
                do throws(BatchError) {
                    return try await queue.takingTurn([request])[0].get()
                } catch {
                    guard error.isOutdated else {
                        context.options.refused(error.cause)
                        throw error
                    }
                    version = try await served.shownFlags().version
                    guard try await isStillSo() else { return nil }
                }
            }
            context.options.refused(.endlessEdits(nil))
            throw BatchError(changes: [], cause: .endlessEdits(nil))
        }
    }
}

actor WriteQueue {
    static let largestGroup = 64
    static let maximumTries = 5
    static let pauseOfSettling = Duration.seconds(2)

    enum Signal {
        case answered(ChangeAnswer)
        /// The waiter must settle the next group, which its own request begins.
        case lead
    }

    struct Waiting {
        /// The request; `nil` for a task that settles its own requests.
        let request: ChangeRequest?
        let continuation: CheckedContinuation<Signal, Never>
    }

    private let files: ServedFiles
    private let context: ChangeContext
    private(set) var waiting: [Waiting] = []
    private(set) var isLed = false
    private var deniedAttempts: DenialLimit
    private var isSettlingPlanned = false

    init(_ files: ServedFiles) {
        self.files = files
        context = files.context
        deniedAttempts = DenialLimit(limit: context.options.deniedRowsPerMinute)
    }

    /// Settles a request together with those behind it.
    ///
    /// The first request settles its group, then hands over to the first that came meanwhile, so that each is answered
    /// with its own group. Cancellation is ignored.
    func answer(to request: ChangeRequest) async -> ChangeAnswer {
        if isLed {
            let signal = await withCheckedContinuation { waiting.append(Waiting(request: request, continuation: $0)) }
            if case .answered(let answer) = signal { return answer }
        }
        isLed = true
        defer { handOn() }
        let followers = takeRequests(Self.largestGroup - 1)
        let answers = await takingTurn([request] + followers.map(\.request))
        for case .failure(let refusal) in answers { context.options.refused(refusal.cause) }
        for (follower, answer) in zip(followers, answers.dropFirst()) {
            follower.continuation.resume(returning: .answered(answer))
        }
        return answers[0]
    }

    func leading<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        if isLed { _ = await withCheckedContinuation { waiting.append(Waiting(request: nil, continuation: $0)) } }
        isLed = true
        defer { handOn() }
        return try await body()
    }

    /// Takes requests, up to a task that waits to lead.
    private func takeRequests(_ count: Int) -> [(
        request: ChangeRequest, continuation: CheckedContinuation<Signal, Never>
    )] {
        let group = waiting.prefix(count).prefix { $0.request != nil }
        waiting.removeFirst(group.count)
        return group.compactMap { waiting in waiting.request.map { ($0, waiting.continuation) } }
    }

    private func handOn() {
        guard !waiting.isEmpty else {
            isLed = false
            return
        }
        waiting.removeFirst().continuation.resume(returning: .lead)
    }

    /// Settles requests while holding their folders' turns (``FolderLock``).
    func takingTurn(_ requests: [ChangeRequest]) async -> [ChangeAnswer] {
        let changes = requests.flatMap(\.changes)
        let deadline = (requests.map(\.arrival).min() ?? .now) + context.options.patience
        for _ in 1...Self.maximumTries {
            let urls = await files.urls(of: changes)
            let turn: FolderLock.Held
            do throws(FileAccessError) {
                turn = try await FolderLock.take(beside: urls, until: deadline)
            } catch {
                // The folder may be gone because a link has changed.
                if await files.urlsAfterLook(of: changes) != urls { continue }
                guard requests.count > 1 else {
                    await keep(ChangeError(writing: error), of: urls)
                    return refused(requests, ChangeError(writing: error))
                }
                var answers: [ChangeAnswer] = []
                for request in requests { answers += await takingTurn([request]) }
                return answers
            }
            let answers = await settle(requests, inTurnOf: urls)
            turn.end()
            guard let answers else { continue }
            // After the turn, since the receiver may wait for a turn of its own.
            if answers.contains(where: \.isWritten) { await context.onDisk(context.options.written) }
            if await files.isUnsettled { settleSoon() }
            return answers
        }
        return requests.flatMap { refused([$0], .endlessEdits($0.key)) }
    }

    /// Answers requests in rounds, repeated after races with other programs.
    ///
    /// `places` are the files whose turns are held; `nil` skips that check. Returns `nil` if the files moved, so that
    /// other turns are needed.
    private func settle(_ requests: [ChangeRequest], inTurnOf places: Set<URL>?) async -> [ChangeAnswer]? {
        await files.settleUnsettledChange()
        for _ in 1...Self.maximumTries {
            do throws(ChangeError) {
                guard let start = try await files.beginRound() else { continue }
                if let places, await !files.urls(of: requests.flatMap(\.changes)).isSubset(of: places) {
                    await files.letGo()
                    return nil
                }
                switch await round(requests, on: start) {
                case .success(let answers): return answers
                case .failure(.raced): continue
                case .failure(.refused(let refusal, let isForAll)):
                    guard requests.count > 1, !isForAll else { return refused(requests, refusal) }
                case .failure(.unsettled(let refusal, _)): return refused(requests, refusal)
                }
            } catch {
                return refused(requests, error)
            }
            // A single request may be what fills the disk.
            var answers: [ChangeAnswer] = []
            for request in requests { answers += await settle([request], inTurnOf: nil) ?? [] }
            return answers
        }
        return requests.flatMap { refused([$0], .endlessEdits($0.key)) }
    }

    private func round(
        _ requests: [ChangeRequest], on start: ServedFiles.Start
    ) async -> Result<[ChangeAnswer], TransactionError> {
        var round = ChangeRound(
            context: context, workspace: start.workspace, unsettled: start.unsettled, deniedAttempts: deniedAttempts)
        let result: Result<[ChangeAnswer], TransactionError>
        (round, result) = await context.onDisk { [round] in
            var round = round
            let result = Result { () throws(TransactionError) in try round.run(requests) }
            return (round, result)
        }
        deniedAttempts = round.deniedAttempts
        await files.endRound(ServedFiles.Start(workspace: round.workspace, unsettled: round.unsettled))
        switch result {
        case .failure(.refused(let refusal, _)), .failure(.unsettled(let refusal, _)):
            await keep(refusal, of: files.urls(of: requests.flatMap(\.changes)))
        case .success(let answers) where answers.contains(where: \.isWritten): await files.forgetSaveFailure()
        case .success, .failure(.raced): break
        }
        return result
    }

    private func keep(_ refusal: ChangeError, of urls: Set<URL>) async {
        guard refusal.isOfStorage, await !files.isUnsettled,
            await files.keepSaveFailure(SaveFailure(refusal: refusal, files: urls))
        else { return }
        let clock = context.options.waitingClock
        Task { [weak files] in
            repeat {
                // Nobody cancels this task.
                try? await clock.sleep(for: Self.pauseOfSettling)
            } while await files?.isStillFailing() == true
        }
    }

    private func refused(_ requests: [ChangeRequest], _ refusal: ChangeError) -> [ChangeAnswer] {
        requests.map { _ in .failure(BatchError(changes: [], cause: refusal)) }
    }
}

extension WriteQueue {
    /// Settles for a reader, unless the queue is busy: readers never wait for that.
    func settleForReader() async {
        guard await files.isUnsettled, !isLed else { return }
        await leading { await settleInTurn() }
    }

    /// Settles, unless another program has the turn.
    private func settleInTurn() async {
        do throws(FileAccessError) {
            let turn = try await FolderLock.take(beside: await files.placesToSettle(), until: .now)
            await files.settleUnsettledChange(patience: ServedFiles.patienceOfLook)
            turn.end()
        } catch {
            context.options.log("can't resolve the interrupted change now: \(error.description)")
        }
    }

    private func settleSoon() {
        guard !isSettlingPlanned else { return }
        isSettlingPlanned = true
        let clock = context.options.waitingClock
        Task { [weak self] in
            repeat {
                // Nobody cancels this task.
                try? await clock.sleep(for: Self.pauseOfSettling)
            } while await self?.isStillUnsettled() == true
        }
    }

    private func isStillUnsettled() async -> Bool {
        await settleForReader()
        isSettlingPlanned = false
        // A newly interrupted change plans its own attempts.
        guard await files.isUnsettled, !isSettlingPlanned else { return false }
        isSettlingPlanned = true
        return true
    }
}

extension ChangeAnswer {
    fileprivate var isWritten: Bool {
        guard case .success(let outcomes) = self else { return false }
        return outcomes.contains { if case .applied = $0 { true } else { false } }
    }
}
