import DurableFiles
import Foundation

extension ChangeService {
    /// Makes a change: checks every rule, edits the file's bytes, and records it.
    ///
    /// The change waits for those that came before it and for other programs that write the file; reads go on meanwhile.
    /// It is made even where the task that asks is cancelled.
    ///
    /// - Parameters:
    ///   - change: What to change.
    ///   - author: Who asks.
    /// - Returns: The history's row, or that there was nothing to do. Both are durable then.
    /// - Throws: ``ChangeError``; neither file nor history hold the change then, unless it says so.
    public func apply(_ change: Change, by author: ChangeAuthor) async throws(ChangeError) -> ChangeOutcome {
        switch await queue.answer(to: ChangeRequest([change], by: author)) {
        case .done(let outcomes): return outcomes[0]
        case .refused(let refusal): throw refusal.cause
        }
    }

    /// Makes the changes of a request, all or none; each is checked against what those before it leave.
    ///
    /// Their rows carry one ``HistoryEvent/batch``.
    ///
    /// - Parameter request: The changes, and who asks.
    /// - Returns: For each change its row, or that there was nothing to do.
    /// - Throws: ``BatchError``, which says of each change why it is refused, or what it would have done.
    public func apply(_ request: ChangeRequest) async throws(BatchError) -> [ChangeOutcome] {
        try await queue.answer(to: request).outcomes()
    }

    /// Makes the changes of a request where they are still what they were worked out to be.
    ///
    /// - Parameters:
    ///   - request: The changes, with what the files held when they were worked out.
    ///   - isStillSo: Asked where something was changed since: whether what was wanted still comes to these changes.
    ///     The service makes no other change until it has answered, so it must only read.
    /// - Returns: For each change its row, or that there was nothing to do; `nil` where they are not what is wanted any more,
    ///   and none was made.
    /// - Throws: ``BatchError``, or what `isStillSo` throws.
    public func apply(
        _ request: ChangeRequest, where isStillSo: @escaping @Sendable () async throws -> Bool
    ) async throws -> [ChangeOutcome]? {
        try await queue.leading { [served, queue, context] in
            var version = request.version
            for _ in 1...WriteQueue.maximumTries {
                let request = ChangeRequest(
                    request.changes, by: request.author, asOf: version, answering: request.question)
                do throws(BatchError) {
                    return try await queue.takingTurn([request])[0].outcomes()
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

/// The requests that wait, in the order in which they came; those that come to the front together are settled together.
actor WriteQueue {
    /// How many requests share a round at most.
    static let largestGroup = 64
    /// How often requests are tried while another program changes the files at the same moment.
    static let maximumTries = 5
    /// How long it takes until the queue tries again to settle a change that was left half done.
    static let pauseOfSettling = Duration.seconds(2)

    /// What ends the wait of a request.
    enum Signal {
        case answered(ChangeAnswer)
        /// The one who waits is to settle the next group, of which its own request is the first.
        case lead
    }

    /// A request or another task that waits.
    struct Waiting {
        /// What is to be answered; `nil` for a task that waits to lead, and settles only its own requests then.
        let request: ChangeRequest?
        let continuation: CheckedContinuation<Signal, Never>
    }

    private let files: ServedFiles
    private let context: ChangeContext
    private(set) var waiting: [Waiting] = []
    /// Whether a group is being settled.
    private(set) var isLed = false
    private var deniedAttempts: DenialLimit
    /// Whether the queue tries in a moment to settle a change that was left half done.
    private var isSettlingPlanned = false

    init(_ files: ServedFiles) {
        self.files = files
        context = files.context
        deniedAttempts = DenialLimit(limit: context.options.deniedRowsPerMinute)
    }

    /// Waits for the requests that came before, then settles this one together with those that wait behind it.
    ///
    /// The request that came first settles the group, and hands what has come meanwhile to the first of those: so each is
    /// answered as soon as its own group is done, and nothing here looks at whether the task that waits is cancelled.
    func answer(to request: ChangeRequest) async -> ChangeAnswer {
        if isLed {
            let signal = await withCheckedContinuation { waiting.append(Waiting(request: request, continuation: $0)) }
            if case .answered(let answer) = signal { return answer }
        }
        isLed = true
        defer { handOn() }
        let followers = takeRequests(Self.largestGroup - 1)
        let answers = await takingTurn([request] + followers.map(\.request))
        for case .refused(let refusal) in answers { context.options.refused(refusal.cause) }
        for (follower, answer) in zip(followers, answers.dropFirst()) {
            follower.continuation.resume(returning: .answered(answer))
        }
        return answers[0]
    }

    /// Waits for the requests that came before, then does something while none but its own are settled.
    func leading<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        if isLed { _ = await withCheckedContinuation { waiting.append(Waiting(request: nil, continuation: $0)) } }
        isLed = true
        defer { handOn() }
        return try await body()
    }

    /// Takes the requests that came first, up to one who waits to lead.
    private func takeRequests(_ count: Int) -> [(
        request: ChangeRequest, continuation: CheckedContinuation<Signal, Never>
    )] {
        let group = waiting.prefix(count).prefix { $0.request != nil }
        waiting.removeFirst(group.count)
        return group.compactMap { waiting in waiting.request.map { ($0, waiting.continuation) } }
    }

    /// Lets the one who came first lead.
    private func handOn() {
        guard !waiting.isEmpty else {
            isLed = false
            return
        }
        waiting.removeFirst().continuation.resume(returning: .lead)
    }

    /// Settles requests while no program that takes turns (``FolderLock``) writes their files.
    func takingTurn(_ requests: [ChangeRequest]) async -> [ChangeAnswer] {
        let changes = requests.flatMap(\.changes)
        let deadline = (requests.map(\.arrival).min() ?? .now) + context.options.patience
        for _ in 1...Self.maximumTries {
            let urls = await files.urls(of: changes)
            let turn: FolderLock.Held
            do throws(FileAccessError) {
                turn = try await FolderLock.take(beside: urls, until: deadline)
            } catch {
                // The folder of before may be gone, since a link leads elsewhere.
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
            // After the turn: what takes the files up may wait for a turn of its own.
            if answers.contains(where: \.isWritten) { await context.onDisk(context.options.written) }
            if await files.isUnsettled { settleSoon() }
            return answers
        }
        return requests.flatMap { refused([$0], .endlessEdits($0.key)) }
    }

    /// Answers requests by rounds, as many as edits by other programs call for.
    ///
    /// - Parameter places: The files in whose folders no other program has a turn; `nil` where that does not matter.
    /// - Returns: `nil` where the files are elsewhere by now, so that other turns are needed.
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
                case .settled(let answers): return answers
                case .raced: continue
                case .failed(let refusal, let isForAll):
                    guard requests.count > 1, !isForAll else { return refused(requests, refusal) }
                }
            } catch {
                return refused(requests, error)
            }
            // One of them may be what is too much for the disk.
            var answers: [ChangeAnswer] = []
            for request in requests { answers += await settle([request], inTurnOf: nil) ?? [] }
            return answers
        }
        return requests.flatMap { refused([$0], .endlessEdits($0.key)) }
    }

    /// Runs a round on the files as they were last read, on a thread that may wait for the disk.
    private func round(_ requests: [ChangeRequest], on start: ServedFiles.Start) async -> ChangeRound.Result {
        var round = ChangeRound(
            context: context, workspace: start.workspace, unsettled: start.unsettled, deniedAttempts: deniedAttempts)
        let result: ChangeRound.Result
        (round, result) = await context.onDisk { [round] in
            var round = round
            let result = round.run(requests)
            return (round, result)
        }
        deniedAttempts = round.deniedAttempts
        await files.endRound(ServedFiles.Start(workspace: round.workspace, unsettled: round.unsettled))
        switch result {
        case .failed(let refusal, _): await keep(refusal, of: files.urls(of: requests.flatMap(\.changes)))
        case .settled(let answers) where answers.contains(where: \.isWritten): await files.forgetSaveFailure()
        case .settled, .raced: break
        }
        return result
    }

    /// Keeps why a change could not be stored, and tries every few seconds whether the next one could be.
    private func keep(_ refusal: ChangeError, of urls: Set<URL>) async {
        guard refusal.isOfStorage, await !files.isUnsettled,
            await files.keepSaveFailure(SaveFailure(refusal: refusal, files: urls))
        else { return }
        let clock = context.options.waitingClock
        Task { [weak files] in
            repeat {
                // The task is cancelled by no one.
                try? await clock.sleep(for: Self.pauseOfSettling)
            } while await files?.isStillFailing() == true
        }
    }

    private func refused(_ requests: [ChangeRequest], _ refusal: ChangeError) -> [ChangeAnswer] {
        requests.map { _ in .refused(BatchError(changes: [], cause: refusal)) }
    }
}

extension WriteQueue {
    /// Tries to settle a change that was left half done for a reader, unless a change or another attempt is under way: a
    /// reader never waits for those.
    func settleForReader() async {
        guard await files.isUnsettled, !isLed else { return }
        await leading { await settleInTurn() }
    }

    /// Tries it while no program that takes turns (``FolderLock``) writes the files; where another one does, the next
    /// attempt is soon enough.
    private func settleInTurn() async {
        do throws(FileAccessError) {
            let turn = try await FolderLock.take(beside: await files.placesToSettle(), until: .now)
            await files.settleUnsettledChange(patience: ServedFiles.patienceOfLook)
            turn.end()
        } catch {
            context.options.log("the change that was interrupted can't be settled now: \(error.description)")
        }
    }

    /// Has the queue try every few seconds, for as long as there is something to settle.
    private func settleSoon() {
        guard !isSettlingPlanned else { return }
        isSettlingPlanned = true
        let clock = context.options.waitingClock
        Task { [weak self] in
            repeat {
                // The task is cancelled by no one.
                try? await clock.sleep(for: Self.pauseOfSettling)
            } while await self?.isStillUnsettled() == true
        }
    }

    private func isStillUnsettled() async -> Bool {
        await settleForReader()
        isSettlingPlanned = false
        // A change that is left half done meanwhile has the queue try again by itself.
        guard await files.isUnsettled, !isSettlingPlanned else { return false }
        isSettlingPlanned = true
        return true
    }
}

extension ChangeAnswer {
    /// Whether something was changed.
    fileprivate var isWritten: Bool {
        guard case .done(let outcomes) = self else { return false }
        return outcomes.contains { if case .applied = $0 { true } else { false } }
    }
}
