import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ServedFiles {
    /// Short, since everybody waits with a look.
    static let patienceOfLook = Duration.milliseconds(50)
    private static let pauseOfChange = Duration.milliseconds(100)
    static let pauseWithoutRequest = Duration.seconds(1)

    /// Looks at the files for a reader, waiting for half-written ones.
    ///
    /// The last sound state may be outdated, so it is no answer. Later readers join the first one's wait. A large edit
    /// delays readers a little; then the last state stands.
    func refresh(within patience: Duration? = nil) async throws(ChangeError) {
        let end = ContinuousClock.now + (patience ?? options.patienceOfReaders)
        if !look().isEmpty { await waitUntilWhole() }
        while let largeEdit, await isOver(largeEdit, until: min(end, largeEdit.start + options.patienceOfReaders)) {
            // The look may have found a half-written file.
            if !look().isEmpty { await waitUntilWhole() }
        }
        if let writeBlock, writeBlock.isDamage { throw writeBlock.refusal }
    }

    /// Looks until the history is free or the time is up, without blocking readers.
    func waitWhileHistoryIsBusy() async {
        let deadline = ContinuousClock.now + options.busyTimeout
        while let writeBlock, writeBlock.isBusy, ContinuousClock.now < deadline {
            // Detached, since the request must be completed even if its task is cancelled.
            await Task.detached { try? await Task.sleep(for: Self.pauseOfChange) }.value
            _ = look()
        }
    }

    /// Records external edits and returns the files that may be half written.
    ///
    /// While there are any, nothing is adopted: editors and git truncate or remove a file before writing it. During a
    /// round, files may be ahead of the history, so the last look stands.
    func look(givingUp givenUp: Set<URL> = []) -> Set<URL> {
        guard !isRoundUnderWay else {
            isLookDue = true
            return []
        }
        let place = files.followed()
        if place != files { follow(to: place) }
        if isLeftToLargeEdit() { return [] }
        var found = Workspace(place, previous: workspace, seen: awaited)
        found.takeUpApp(options, place, previous: workspace)
        if options.halfWrittenPatience > .zero {
            let halfWritten = found.unsound.subtracting(workspace.unsound).subtracting(givenUp)
            guard halfWritten.isEmpty else {
                awaited = found
                return halfWritten
            }
        }
        awaited = nil
        recordAndTakeUp(found)
        return []
    }

    /// Adopts files; an unsettled change's leftovers look like external edits, so they aren't recorded.
    private func recordAndTakeUp(_ found: Workspace) {
        do throws(WriteBlock) {
            takeUp(found, upTo: unsettled == nil ? try claimAndRecord(found) : nil)
        } catch {
            takeUp(found, error)
        }
    }

    private func claimAndRecord(_ found: Workspace) throws(WriteBlock) -> Int64? {
        if options.isObserving { return nil }
        try WriteBlock.ifFailing { try claim() }
        return try record(found, after: workspace, renewing: locks)
    }

    /// `row` is the history's last row, if known.
    func takeUp(_ found: Workspace, _ block: WriteBlock? = nil, upTo row: Int64? = nil) {
        rowAtLook = row
        let known = workspace.fileProblems
        let (knownLinks, knownConflicts) = (workspace.linkedFiles, workspace.conflicts)
        let isSameManifest = workspace.hasSameManifest(as: found)
        if !isSameManifest { isPastDue = true }
        let appKeys = workspace.appProviders.changedKeys(to: found.appProviders)
        workspace = found
        if !isSameManifest { toldFields = workspace.tellMistakenFields(besides: toldFields, options.log) }
        // The follower of a source logs its problems.
        for fileProblem in workspace.fileProblems where fileProblem.source == nil && !known.contains(fileProblem) {
            options.log(fileProblem.detail)
        }
        workspace.tellConflicts(besides: knownConflicts, options.log)
        if !options.isReadOnly { workspace.tellLinkedFiles(besides: knownLinks, options.log) }
        noteBlock(block)
        tellUpdates(ofApps: appKeys)
    }

    func noteBlock(_ block: WriteBlock?) {
        let previous = writeBlock
        writeBlock = block
        if let writeBlock, writeBlock != previous { options.log(writeBlock.refusal.description) }
        if let writeBlock, writeBlock.isBusy { lookAgainSoon() }
    }

    /// Restores last good values once after the start and each edit of the manifest; later failures are noticed.
    func recallLastGood(of catalogue: FlagCatalogue) -> Bool {
        guard isPastDue, !isRoundUnderWay else { return false }
        isPastDue = false
        do throws(HistoryStoreError) {
            return try workspace.recallLastGood(of: catalogue, from: history)
        } catch {
            isPastDue = true
            options.log("can't look up the last good values of broken ones: \(error.description)")
            return false
        }
    }

    /// Plans a look, since the watcher doesn't notice when another process releases the history.
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

    /// Renews the locks and checks the history's place, then records external edits.
    ///
    /// Returns the history's last row, as ``OutsideEdits/record(_:after:)`` does.
    nonisolated func record(
        _ found: Workspace, after previous: Workspace, renewing locks: [ProcessLock]
    ) throws(WriteBlock) -> Int64? {
        if options.isObserving { return nil }
        return try WriteBlock.ifFailing {
            try ChangeServiceStartError.unlessLocked { () throws(FileAccessError) in
                for lock in locks { try lock.renew() }
            }
            registry?.renew(log: options.log)
            try history.checkInPlace()
            return try OutsideEdits(history: history, clock: options.clock, patience: Self.patienceOfLook)
                .record(found, after: previous)
        }
    }
}

struct WriteBlock: Error, Hashable {
    let refusal: ChangeError
    /// True if the history can't be trusted.
    let isDamage: Bool
    /// True if another process briefly locks the history.
    let isBusy: Bool

    static func ifFailing<Value>(_ steps: () throws -> Value) throws(WriteBlock) -> Value {
        do {
            return try steps()
        } catch let error as HistoryStoreError {
            throw WriteBlock(error)
        } catch let error as ChangeServiceStartError {
            throw WriteBlock(error)
        } catch {
            throw WriteBlock(
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
                .unavailable, error.description, remedy: "Nothing was changed. Fix this to make changes again.")
        )
    }
}

extension Workspace {
    var unsound: Set<URL> {
        var urls: Set<URL> = []
        for case let file in values {
            if case .failure = file.content { urls.insert(file.provider.url) }
        }
        if case .failure = manifest.content { urls.insert(manifest.url) }
        return urls
    }
}
