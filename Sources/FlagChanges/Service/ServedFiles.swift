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
    let locks: [ProcessLock]
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
    private var catalogueCache = CatalogueCache()
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
    /// - Parameters:
    ///   - files: The files to serve.
    ///   - options: How to treat them.
    /// - Throws: ``ChangeServiceStartError`` where a file can't be served; values files and manifest are untouched then.
    init(_ files: FlagFiles, _ options: ChangeService.Options) throws(ChangeServiceStartError) {
        try files.checkDistinct()
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
        if !options.isReadOnly { workspace.tellLinkedFiles(besides: [], options.log) }
    }

    /// Opens the files to look at them alone: nothing is locked, recorded or written, and no change is taken.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - history: What is known of their past.
    ///   - options: How to treat them.
    /// - Throws: ``ChangeServiceStartError`` where a file can't be read.
    init(
        observing files: FlagFiles, _ history: HistoryStore, _ options: ChangeService.Options
    ) throws(ChangeServiceStartError) {
        (locks, registry) = ([], nil)
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
        let holder = "\(address) (process \(ProcessInfo.processInfo.processIdentifier))"
        try ChangeServiceStartError.unlessLocked { () throws(LockError) in
            for lock in locks { try lock.describe(holder) }
        }
        registry?.describe(holder, isAnswering: answersSocket, log: options.log)
    }

    // MARK: State

    /// The files as they are now, for a reader: one that may be half written is waited for.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    func state() async throws(ChangeError) -> FilesState {
        try await refresh()
        // They may have the workspace recall values from the history.
        let flags = currentlyShown()
        return FilesState(
            workspace: workspace, flags: flags, problems: currentProblems, linkedFiles: linkedFiles,
            lastRow: knownRow, unsettled: unsettled)
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
            catalogue: flags.catalogue, hiddenKeys: flags.hiddenKeys, version: workspace.version(context.versionSecret),
            unreadable: workspace.problemsOfReads, isStandstill: unsettled != nil || writeBlock != nil,
            hasAppProviders: !workspace.appProviders.isEmpty)
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
        return readOnly + workspace.fileProblems + (standstill.map { [$0] } ?? [])
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
        return catalogueCache.shown(of: workspace.catalogueState(isReadOnly: isReadOnly)) { previous in
            let snapshots = workspace.snapshots(isReadOnly: isReadOnly)
            if let previous, let shown = shown(following: previous, snapshots) { return shown }
            let catalogue = FlagCatalogue(
                manifest: workspace.definitions?.content, snapshots: snapshots, showsInternal: options.showsInternal,
                unknownFields: workspace.definitions?.unknownFields ?? [])
            return shown(catalogue, snapshots)
        }
    }

    /// The flags where nothing but values and the definitions of some flags has changed; `nil` where all of them are to be
    /// worked out anew.
    private func shown(
        following previous: CatalogueCache.Shown, _ snapshots: [ValuesSnapshot]
    ) -> CatalogueCache.Shown? {
        let update = CatalogueUpdate(
            from: CatalogueUpdate.State(manifest: previous.manifest, snapshots: previous.snapshots),
            to: CatalogueUpdate.State(manifest: workspace.definitions, snapshots: snapshots),
            showsInternal: options.showsInternal)
        guard let catalogue = update.applied(to: previous.catalogue) else { return nil }
        guard catalogue.hasSameFlags(as: previous.catalogue) else { return shown(catalogue, snapshots) }
        return CatalogueCache.Shown(
            catalogue: catalogue, hiddenKeys: previous.hiddenKeys, manifest: workspace.definitions, snapshots: snapshots
        )
    }

    private func shown(_ catalogue: FlagCatalogue, _ snapshots: [ValuesSnapshot]) -> CatalogueCache.Shown {
        let hidden = workspace.hiddenFlags(showsInternal: options.showsInternal)
        return CatalogueCache.Shown(
            catalogue: catalogue, hiddenKeys: HiddenKeys(hidden, besides: catalogue), manifest: workspace.definitions,
            snapshots: snapshots)
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
