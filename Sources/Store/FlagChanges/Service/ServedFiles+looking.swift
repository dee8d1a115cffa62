import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ServedFiles {
    /// How long a look waits for another process that holds the history: everybody waits with it.
    static let patienceOfLook = Duration.milliseconds(50)
    /// How long a change waits until it looks again at a history that was held.
    private static let pauseOfChange = Duration.milliseconds(100)
    /// How long it takes until that is done without a request.
    static let pauseWithoutRequest = Duration.seconds(1)

    /// Takes a new look at the files, for a reader: a file that may be half written is waited for.
    ///
    /// A reader waits rather than gets the last sound state: that may be what the file says no longer. A reader who comes
    /// meanwhile waits with the first, so that no reader waits for longer than a file is given. A large edit is waited for a
    /// little alone, and then the last state stands until it is taken up.
    ///
    /// - Parameter patience: How long a large edit is waited for; `nil` for as long as readers usually do.
    /// - Throws: ``ChangeError`` where the history is damaged.
    func refresh(within patience: Duration? = nil) async throws(ChangeError) {
        let end = ContinuousClock.now + (patience ?? options.patienceOfReaders)
        if !look().isEmpty { await waitUntilWhole() }
        while let largeEdit, await isOver(largeEdit, until: min(end, largeEdit.start + options.patienceOfReaders)) {
            // It may have met a file that is half written.
            if !look().isEmpty { await waitUntilWhole() }
        }
        if let writeBlock, writeBlock.isDamage { throw writeBlock.refusal }
    }

    /// Looks until no other process holds the history, so that what was edited outside can be recorded, or until a change
    /// has waited for long enough.
    ///
    /// Readers are not kept waiting meanwhile.
    func waitWhileHistoryIsBusy() async {
        let deadline = ContinuousClock.now + options.busyTimeout
        while let writeBlock, writeBlock.isBusy, ContinuousClock.now < deadline {
            // What was asked for is to be done, even where the task that asked is cancelled meanwhile.
            await Task.detached { try? await Task.sleep(for: Self.pauseOfChange) }.value
            _ = look()
        }
    }

    /// Takes a new look at the files and records what other programs did to them.
    ///
    /// Where a file was sound and is missing or not valid now, nothing is taken up at all: programs that save a file, and
    /// git, truncate it or remove it first.
    ///
    /// While a round is under way, the files may hold what the history does not yet: the last look stands.
    ///
    /// - Returns: The files that may be half written; none where what was found is taken up.
    func look(givingUp givenUp: Set<URL> = []) -> Set<URL> {
        guard !isRoundUnderWay else {
            isLookDue = true
            return []
        }
        let place = files.followed()
        if place != files { follow(to: place) }
        if isLeftToLargeEdit() { return [] }
        var found = Workspace(place, previous: workspace, seen: awaited)
        found.takeUpApp(options)
        if options.halfWrittenPatience > .zero {
            let halfWritten = found.unsound.subtracting(workspace.unsound).subtracting(givenUp)
            guard halfWritten.isEmpty else {
                awaited = found
                return halfWritten
            }
        }
        awaited = nil
        takeUp(found)
        return []
    }

    /// While a change is unsettled, what it left in the files can't be told from what another program did: nothing is
    /// recorded until it is settled.
    private func takeUp(_ found: Workspace) {
        takeUp(found, unsettled == nil ? claimAndRecord(found) : nil)
    }

    private func claimAndRecord(_ found: Workspace) -> WriteBlock? {
        if options.isObserving { return nil }
        return WriteBlock.met { try claim() } ?? record(found, after: workspace, renewing: locks)
    }

    /// Takes up files whose differences are in the history, or can't be for the reason given.
    func takeUp(_ found: Workspace, _ block: WriteBlock?) {
        let known = workspace.fileProblems
        let (knownLinks, knownConflicts) = (workspace.linkedFiles, workspace.conflicts)
        let isSameManifest = workspace.hasSameManifest(as: found)
        if !isSameManifest { isPastDue = true }
        workspace = found
        if !isSameManifest { toldFields = workspace.tellMistakenFields(besides: toldFields, options.log) }
        for fileProblem in workspace.fileProblems where !known.contains(fileProblem) { options.log(fileProblem.detail) }
        workspace.tellConflicts(besides: knownConflicts, options.log)
        if !options.isReadOnly { workspace.tellLinkedFiles(besides: knownLinks, options.log) }
        noteBlock(block)
        tellUpdates()
    }

    /// Notes why nothing can be written as things are.
    func noteBlock(_ block: WriteBlock?) {
        let previous = writeBlock
        writeBlock = block
        if let writeBlock, writeBlock != previous { options.log(writeBlock.refusal.description) }
        if let writeBlock, writeBlock.isBusy { lookAgainSoon() }
    }

    /// Looks up in the history, once after the start and after each edit of the manifest, what the last good values were of flags whose
    /// values are broken: those that break later are noticed.
    func recallLastGood(of catalogue: FlagCatalogue) -> Bool {
        guard isPastDue, !isRoundUnderWay else { return false }
        isPastDue = false
        do throws(HistoryStoreError) {
            return try workspace.recallLastGood(of: catalogue, from: history)
        } catch {
            isPastDue = true
            options.log("the last good values of broken ones can't be looked up: \(error.description)")
            return false
        }
    }

    /// A history that another process held is free again without anything that the watcher sees.
    func lookAgainSoon() {
        guard !isLookPlanned else { return }
        isLookPlanned = true
        Task {
            // The task is never cancelled.
            try? await Task.sleep(for: Self.pauseWithoutRequest)
            isLookPlanned = false
            watcher.tell()
        }
    }

    /// Records what was edited outside, unless that went into a history which no one will read.
    nonisolated func record(
        _ found: Workspace, after previous: Workspace, renewing locks: [ProcessLock]
    ) -> WriteBlock? {
        if options.isObserving { return nil }
        return WriteBlock.met {
            try ChangeServiceStartError.unlessLocked { () throws(LockError) in
                for lock in locks { try lock.renew() }
            }
            registry?.renew(log: options.log)
            try history.checkInPlace()
            try OutsideEdits(history: history, clock: options.clock, patience: Self.patienceOfLook)
                .record(found, after: previous)
        }
    }
}

/// Why nothing can be written as things stand.
struct WriteBlock: Hashable, Sendable {
    /// What a change is answered.
    let refusal: ChangeError
    /// Whether the history can't be trusted, and so nothing is shown beside it.
    let isDamage: Bool
    /// Whether another process holds the history, so that this is soon over.
    let isBusy: Bool

    /// The reason that some steps meet; `nil` when they succeed.
    static func met(_ steps: () throws -> Void) -> WriteBlock? {
        do {
            try steps()
            return nil
        } catch let error as HistoryStoreError {
            return WriteBlock(error)
        } catch let error as ChangeServiceStartError {
            return WriteBlock(error)
        } catch {
            return WriteBlock(
                ChangeError(.unavailable, "\(error)", remedy: "Nothing was changed. Restart Flagboard."))
        }
    }

    private init(_ refusal: ChangeError) {
        self.refusal = refusal
        (isDamage, isBusy) = (false, false)
    }

    private init(_ error: HistoryStoreError) {
        refusal = ChangeError(storing: error)
        (isDamage, isBusy) = (error.isDamage, error.isBusy)
    }

    private init(_ error: ChangeServiceStartError) {
        self.init(
            ChangeError(
                .unavailable, error.description, remedy: "Nothing was changed. Changes are possible when that is over.")
        )
    }
}

extension Workspace {
    /// The files that can't be read.
    var unsound: Set<URL> {
        var urls: Set<URL> = []
        for case let file in values {
            if case .failure = file.content { urls.insert(file.provider.url) }
        }
        if case .failure = manifest.content { urls.insert(manifest.url) }
        return urls
    }
}
