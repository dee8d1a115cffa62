import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The files of a service as they are now, and what there is to show of them.
///
/// Each look takes up what other programs wrote, and records it in the history. While a round of changes is under way
/// (``beginRound()``), the files may hold what the history does not yet: the last look stands, so that no change is taken for
/// an edit from outside, and readers get the state of before.
actor ServedFiles {
    /// What a round of changes begins with, and leaves.
    struct Start: Sendable {
        let workspace: Workspace
        let unsettled: UnsettledChange?
    }

    nonisolated let context: ChangeContext
    nonisolated var options: ChangeService.Options { context.options }
    nonisolated var history: HistoryStore { context.history }
    nonisolated var files: FlagFiles { context.files }
    /// The locks of ``claimed``, as far as these can be written to.
    var locks: [ProcessLock]
    /// The files whose locks are held, and which the history knows by these paths: where the given paths led when that was last
    /// possible.
    var claimed: FlagFiles
    /// What a second process is told; `nil` before that is known.
    var holder: String?
    /// The last version that was worked out, which takes a pass over all broken flags.
    private var knownVersion: (basis: FilesVersion.Basis, version: FilesVersion)?
    /// Why the last change that was asked for could not be stored, as long as nothing shows that the next one can.
    var saveFailure: SaveFailure?
    /// What other processes are told of the files that are locked; `nil` where they can't be told.
    let registry: ServerRegistry?
    var workspace: Workspace { didSet { recent.forget() } }
    /// The flags of the last look, for those who ask for nothing else.
    nonisolated let recent = RecentFlags()
    /// What was found in the files where one may be half written, while that is waited for.
    var awaited: Workspace?
    /// Whether the files are to be looked at once the round is over.
    var isLookDue = false
    /// The history's last row when the round began, or why it could not be read; `nil` while there is no round.
    private var rowBeforeRound: Result<Int64, HistoryStoreError>?
    var catalogueCache = CatalogueCache()
    /// The large edit by another program that is taken up while requests go on; `nil` where none is.
    var largeEdit: LargeEdit?
    /// Until when a large edit that could not be recorded is left alone.
    var largeEditPause: ContinuousClock.Instant?
    /// What must be settled before anything else is written.
    var unsettled: UnsettledChange? { didSet { recent.forget() } }
    /// Why nothing can be written as things are; the next look may find it gone.
    var writeBlock: WriteBlock? { didSet { recent.forget() } }
    /// Whether the files are looked at again in a moment, since another process held the history.
    var isLookPlanned = false
    /// Whether the history is still to be asked for the last good values of flags whose values are broken.
    var isPastDue = true
    /// The wait for a file that may be half written.
    var waiting: Task<Void, Never>?
    /// Tells when a file may have changed; made when that is first asked for.
    lazy var watcher = FileWatcher(files.watched)
    let updateFeed = UpdateFeed()
    var told = ToldState()
    /// The fields of the manifest that the operator has been told to have no effect.
    var toldFields: Set<MisspelledField> = []

    /// Opens the files, takes the locks, finishes what a crash interrupted, and records what was edited meanwhile.
    ///
    /// - Throws: ``ChangeServiceStartError`` where a file can't be served; values files and manifest are untouched then.
    init(_ files: FlagFiles, _ options: ChangeService.Options) throws(ChangeServiceStartError) {
        try files.checkDistinct()
        claimed = files
        let found = Workspace(files)
        try found.checkServable(files, mayBeRecalled: true)
        (locks, registry) = try ProcessLock.all(for: files, options)
        let history = try ChangeServiceStartError.unlessFailing(files) {
            let history = try HistoryStore(
                url: files.history, busyTimeout: options.busyTimeout, report: options.log,
                recorded: options.recorded)
            try files.checkManifest(history)
            try Recovery(files: files, history: history, clock: options.clock).run()
            return history
        }
        if locks.contains(where: { $0.url == files.values }) {
            AtomicFile.removeAbandoned(beside: files.keptBesides, log: options.log)
        }
        context = ChangeContext(
            files: files, history: history, options: options, exchanges: files.exchanges(options))
        // Recovery and other programs may have written since; what the files still hold is not parsed again.
        workspace = Workspace(files, seen: found)
        workspace.takeUpApp(options)
        try workspace.recall(from: history, for: files, options.log)
        do {
            try OutsideEdits(history: history, clock: options.clock).record(workspace)
            try workspace.rememberInternals(of: history)
        } catch {
            throw .history(error)
        }
        toldFields = workspace.tellMistakenFields(besides: [], options.log)
        workspace.tellConflicts(besides: [], options.log)
        if !options.isReadOnly { workspace.tellLinkedFiles(besides: [], options.log) }
    }

    /// Opens the files to look at them alone: nothing is locked, recorded or written, and no change is taken.
    ///
    /// - Throws: ``ChangeServiceStartError`` where a file can't be read.
    init(
        observing files: FlagFiles, _ history: HistoryStore, _ options: ChangeService.Options
    ) throws(ChangeServiceStartError) {
        (locks, registry, claimed) = ([], nil, files)
        context = ChangeContext(files: files, history: history, options: options, exchanges: [])
        workspace = Workspace(files)
        try workspace.recall(from: history, for: files, options.log)
        try ChangeServiceStartError.unlessFailing(files) { try files.checkManifest(history) }
        do {
            try workspace.rememberInternals(of: history)
        } catch {
            throw .history(error)
        }
    }

    /// Writes into the lock files where this process can be reached.
    func announce(_ address: String, answersSocket: Bool) throws(ChangeServiceStartError) {
        let holder = LockHolder.own(at: address)
        self.holder = holder
        try ChangeServiceStartError.unlessLocked { () throws(LockError) in
            for lock in locks { try lock.describe(holder) }
        }
        registry?.describe(holder, isAnswering: answersSocket, log: options.log)
    }

    // MARK: State

    /// The files as they are now, for a reader: one that may be half written is waited for.
    ///
    /// - Parameter patience: How long a large edit by another program is waited for; `nil` for as long as readers usually do.
    /// - Throws: ``ChangeError`` where the history is damaged.
    func state(within patience: Duration? = nil) async throws(ChangeError) -> FilesState {
        try await refresh(within: patience)
        // They may have the workspace recall values from the history.
        let flags = currentlyShown()
        return FilesState(
            workspace: workspace, flags: flags, problems: currentProblems, linkedFiles: linkedFiles,
            lastRow: knownRow, unsettled: unsettled, saveFailure: saveFailure, isBehind: isBehind)
    }

    /// The flags that may be seen, as the files are now, for a reader who does not ask which row of the history they are told with.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    func shownFlags() async throws(ChangeError) -> ShownFlags {
        let start = ContinuousClock.now
        try await refresh()
        let flags = currentlyShown()
        // What a round has written is no one's to see before it is over.
        if !isRoundUnderWay { recent.keep(flags, of: workspace, since: start) }
        return flags
    }

    private func currentlyShown() -> ShownFlags {
        let flags = currentFlags()
        return ShownFlags(
            catalogue: flags.catalogue, hiddenKeys: flags.hiddenKeys, version: currentVersion(),
            unreadable: workspace.problemsOfReads, isStandstill: unsettled != nil || writeBlock != nil,
            hasAppProviders: !workspace.appProviders.isEmpty)
    }

    private func currentVersion() -> FilesVersion {
        let basis = workspace.versionBasis
        if let knownVersion, knownVersion.basis == basis { return knownVersion.version }
        let version = basis.version(context.versionSecret)
        knownVersion = (basis, version)
        return version
    }

    /// Whether a change is neither done nor taken back.
    var isUnsettled: Bool { unsettled != nil }

    /// Whether the files may hold what the history does not yet.
    var isRoundUnderWay: Bool { rowBeforeRound != nil }

    /// The history's last row that the flags are shown with: what a round under way has recorded is seen by no one before it is over.
    func lastShownRow() throws(HistoryStoreError) -> Int64 {
        guard let rowBeforeRound else { return try history.chainHead().id }
        return try rowBeforeRound.get()
    }

    /// That row; `nil` where it can't be read, which is told as a problem wherever it matters.
    private var knownRow: Int64? {
        switch Result(catching: { () throws(HistoryStoreError) in try lastShownRow() }) {
        case .success(let id): id
        case .failure: nil
        }
    }

    /// Why nothing can be changed now, and which files can't be read.
    var currentProblems: [FileProblem] {
        let readOnly = options.showsReadOnly ? [FileProblem(ChangeError.readOnly().description)] : []
        let standstill = unsettled?.fileProblem ?? writeBlock.map { FileProblem($0.refusal.description) }
        let behind = isBehind ? [LargeEdit.fileProblem] : []
        return readOnly + workspace.fileProblems + (standstill.map { [$0] } ?? []) + behind
    }

    /// The files that have other names (hard links) which the next change would part from them.
    var linkedFiles: [URL] { options.isReadOnly ? [] : workspace.linkedFiles }

    /// The flags that may be seen, and what the history must not show.
    func currentFlags() -> CatalogueCache.Shown {
        let shown = shown()
        guard recallLastGood(of: shown.catalogue) else { return shown }
        catalogueCache = CatalogueCache()
        return self.shown()
    }

    private func shown() -> CatalogueCache.Shown {
        let isReadOnly = options.showsReadOnly || unsettled != nil || writeBlock != nil
        return catalogueCache.shown(of: workspace, isReadOnly: isReadOnly, options)
    }

    // MARK: Rounds

    /// The files that changes would replace.
    func urls(of changes: [Change]) -> Set<URL> {
        options.isReadOnly ? [] : Set(changes.flatMap { workspace.urls(of: $0, files) })
    }

    /// Looks at the files for a round of changes, and leaves them alone until it is over.
    ///
    /// - Returns: What the round begins with; `nil` where a file may be half written, which has been waited for then.
    /// - Throws: ``ChangeError`` where nothing can be written, because it could not be recorded.
    func beginRound() async throws(ChangeError) -> Start? {
        guard !options.isObserving else { throw .readOnly() }
        guard look().isEmpty else {
            await waitUntilWhole()
            return nil
        }
        if let largeEdit {
            guard await isOver(largeEdit, until: .now + options.busyTimeout) else { throw LargeEdit.refusal }
            return nil
        }
        await waitWhileHistoryIsBusy()
        if let writeBlock { throw writeBlock.refusal }
        holdStill()
        return Start(workspace: workspace, unsettled: unsettled)
    }

    /// Takes up what a round of changes leaves.
    func endRound(_ end: Start) {
        if !workspace.hasSameManifest(as: end.workspace) { isPastDue = true }
        (workspace, unsettled) = (end.workspace, end.unsettled)
        rowBeforeRound = nil
        if isLookDue {
            isLookDue = false
            watcher.tell()
        }
        tellUpdates()
    }

    /// Has readers see the files as they are now, whatever is done to them.
    func holdStill() {
        rowBeforeRound = Result { () throws(HistoryStoreError) in try history.chainHead().id }
    }

    /// Ends that without telling of it.
    func letGo() {
        rowBeforeRound = nil
        isLookDue = false
    }
}

/// The files of a service at a moment, and what there is to show of them.
struct FilesState: Sendable {
    let workspace: Workspace
    let flags: ShownFlags
    /// Why nothing can be changed now, and which files can't be read.
    let problems: [FileProblem]
    let linkedFiles: [URL]
    /// The history's last row that the files are told with; `nil` where it can't be read.
    let lastRow: Int64?
    /// What must be settled before anything else is written.
    let unsettled: UnsettledChange?
    /// Why the last change that was asked for could not be stored.
    let saveFailure: SaveFailure?
    /// Whether another program's edit is being taken up, and these are the files as they were before it.
    let isBehind: Bool

    var catalogue: FlagCatalogue { flags.catalogue }
}

extension Workspace {
    /// The files that a change would replace.
    fileprivate func urls(of change: Change, _ files: FlagFiles) -> [URL] {
        switch change.action {
        case .value:
            file(change.provider, for: change.key).map { $0.provider.isWritable ? [$0.provider.url] : [] } ?? []
        case .definition(.rename), .definition(.remove(withValues: true)):
            files.providers.filter(\.isWritable).map(\.url) + [files.manifestTarget]
        case .definition: [files.manifestTarget]
        case .note: []
        }
    }
}
