import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The current files of a service, and the flags to show.
///
/// Looks record external edits. During a round (``beginRound()``), files may be ahead of the history: the last look
/// stands, so that no change is taken for an external edit, and readers get the earlier state.
actor ServedFiles {
    struct Start: Sendable {
        let workspace: Workspace
        let unsettled: UnsettledChange?
    }

    nonisolated let context: ChangeContext
    nonisolated var options: ChangeService.Options { context.options }
    nonisolated var history: HistoryStore { context.history }
    nonisolated var files: FlagFiles { context.files }
    var locks: [ProcessLock]
    /// The files that are locked and known to the history.
    var claimed: FlagFiles
    var holder: String?
    /// The last version, cached since computing it visits all broken flags.
    private var knownVersion: (basis: FilesVersion.Basis, version: FilesVersion)?
    var saveFailure: SaveFailure?
    let registry: ServerRegistry?
    var workspace: Workspace { didSet { recent.forget() } }
    nonisolated let recent = RecentFlags()
    /// The content read while a file may be half written.
    var awaited: Workspace?
    /// A look is due after the round.
    var isLookDue = false
    /// The last row before the round, or the reason why it can't be read; `nil` without a round.
    private var rowBeforeRound: Result<Int64, HistoryStoreError>?
    /// The last row at the last look; `nil` if unknown, or if a round or a recovery may have added rows since.
    var rowAtLook: Int64?
    var catalogueCache = CatalogueCache()
    var largeEdit: LargeEdit?
    var largeEditPause: ContinuousClock.Instant?
    var unsettled: UnsettledChange? { didSet { recent.forget() } }
    /// The obstacle to writes, until the next look.
    var writeBlock: WriteBlock? { didSet { recent.forget() } }
    var isLookPlanned = false
    /// True until last good values are restored from the history.
    var isPastDue = true
    var waiting: Task<Void, Never>?
    lazy var watcher = FileWatcher(files.watched)
    let updateFeed = UpdateFeed()
    var told = ToldState()
    var toldFields: Set<MisspelledField> = []

    init(_ files: FlagFiles, _ options: ChangeService.Options) throws(ChangeServiceStartError) {
        try files.checkDistinct()
        claimed = files
        let found = Workspace(files)
        try found.checkServable(files, mayBeRecalled: true)
        (locks, registry) = try ProcessLock.all(for: files, options)
        let history = try ChangeServiceStartError.unlessFailing(files) {
            let history = try HistoryStore(
                url: files.history, busyTimeout: options.busyTimeout, report: options.log,
                recorded: options.recorded, names: files.providerNames)
            try files.checkManifest(history)
            try Recovery(files: files, history: history, clock: options.clock).run()
            return history
        }
        if locks.contains(where: { $0.url == files.values }) {
            AtomicFile.removeAbandoned(beside: files.keptBesides, log: options.log)
        }
        context = ChangeContext(
            files: files, history: history, options: options, exchanges: files.exchanges(options))
        // Recovery and other programs may have written since; unchanged files aren't parsed again.
        workspace = Workspace(files, seen: found)
        workspace.takeUpApp(options, files)
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

    init(
        observing files: FlagFiles, _ history: HistoryStore, _ options: ChangeService.Options
    ) throws(ChangeServiceStartError) {
        (locks, registry, claimed) = ([], nil, files)
        context = ChangeContext(files: files, history: history, options: options, exchanges: [])
        workspace = Workspace(files)
        workspace.takeUpApp(options, files)
        try workspace.recall(from: history, for: files, options.log)
        try ChangeServiceStartError.unlessFailing(files) { try files.checkManifest(history) }
        do {
            try workspace.rememberInternals(of: history)
        } catch {
            throw .history(error)
        }
    }

    func announce(_ address: String, answersSocket: Bool) throws(ChangeServiceStartError) {
        let holder = LockHolder.own(at: address)
        self.holder = holder
        try ChangeServiceStartError.unlessLocked { () throws(FileAccessError) in
            for lock in locks { try lock.describe(holder) }
        }
        registry?.describe(holder, isAnswering: answersSocket, log: options.log)
    }

    func state(within patience: Duration? = nil) async throws(ChangeError) -> FilesState {
        try await refresh(within: patience)
        // May restore values in the workspace from the history, so this comes first.
        let flags = currentlyShown()
        return FilesState(
            workspace: workspace, flags: flags, problems: currentProblems, linkedFiles: linkedFiles,
            lastRow: knownRow, unsettled: unsettled, saveFailure: saveFailure, isBehind: isBehind)
    }

    func shownFlags() async throws(ChangeError) -> ShownFlags {
        let start = ContinuousClock.now
        try await refresh()
        let flags = currentlyShown()
        // Nobody may see the results of a round before its end.
        if !isRoundUnderWay { recent.keep(flags, of: workspace, since: start) }
        return flags
    }

    private func currentlyShown() -> ShownFlags {
        let flags = currentFlags()
        return ShownFlags(
            catalogue: flags.catalogue, hiddenKeys: flags.hiddenKeys, version: currentVersion(),
            environments: EnvironmentCheck(context, workspace),
            unreadable: workspace.problemsOfReads, isStandstill: unsettled != nil || writeBlock != nil,
            appsMark: workspace.appProviders.isEmpty ? nil : workspace.appProviders.hashValue,
            asksApp: workspace.appProviders.contains(where: \.isAsked))
    }

    private func currentVersion() -> FilesVersion {
        let basis = workspace.versionBasis
        if let knownVersion, knownVersion.basis == basis { return knownVersion.version }
        let version = basis.version(context.versionSecret)
        knownVersion = (basis, version)
        return version
    }

    var isUnsettled: Bool { unsettled != nil }

    var isRoundUnderWay: Bool { rowBeforeRound != nil }

    /// Returns the last row, hiding those of a round until its end.
    func lastShownRow() throws(HistoryStoreError) -> Int64 {
        guard let rowBeforeRound else { return try lastRow() }
        return try rowBeforeRound.get()
    }

    /// Rows come from looks, rounds and recoveries alone, so one read after each is enough.
    func lastRow() throws(HistoryStoreError) -> Int64 {
        if let rowAtLook { return rowAtLook }
        let row = try history.chainHead().id
        rowAtLook = row
        return row
    }

    /// `nil` if unreadable, which is reported elsewhere.
    private var knownRow: Int64? {
        switch Result(catching: { () throws(HistoryStoreError) in try lastShownRow() }) {
        case .success(let id): id
        case .failure: nil
        }
    }

    var currentProblems: [FileProblem] {
        let readOnly = options.showsReadOnly ? [FileProblem(context.readOnlyRefusal().description)] : []
        let standstill = unsettled?.fileProblem ?? writeBlock.map { FileProblem($0.refusal.description) }
        let behind = isBehind ? [LargeEdit.fileProblem] : []
        return readOnly + workspace.fileProblems + (standstill.map { [$0] } ?? []) + behind
    }

    var linkedFiles: [URL] { options.isReadOnly ? [] : workspace.linkedFiles }

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

    func urls(of changes: [Change]) -> Set<URL> {
        options.isReadOnly ? [] : Set(changes.flatMap { workspace.urls(of: $0, files) })
    }

    /// Looks at the files and freezes them for a round; `nil` after a wait, when the caller retries.
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

    func endRound(_ end: Start) {
        if !workspace.hasSameManifest(as: end.workspace) { isPastDue = true }
        (workspace, unsettled) = (end.workspace, end.unsettled)
        (rowBeforeRound, rowAtLook) = (nil, nil)
        if isLookDue {
            isLookDue = false
            watcher.tell()
        }
        tellUpdates()
    }

    /// Freezes the visible state while the files change.
    func holdStill() {
        rowBeforeRound = Result { () throws(HistoryStoreError) in try lastRow() }
    }

    /// Ends the freeze without reporting updates.
    func letGo() {
        (rowBeforeRound, rowAtLook) = (nil, nil)
        isLookDue = false
    }
}

struct FilesState: Sendable {
    let workspace: Workspace
    let flags: ShownFlags
    let problems: [FileProblem]
    let linkedFiles: [URL]
    /// `nil` if unreadable.
    let lastRow: Int64?
    let unsettled: UnsettledChange?
    let saveFailure: SaveFailure?
    /// True while a large external edit is recorded: the state precedes it.
    let isBehind: Bool

    var catalogue: FlagCatalogue { flags.catalogue }
}

extension Workspace {
    fileprivate func urls(of change: Change, _ files: FlagFiles) -> [URL] {
        switch change.action {
        case .value where appPlace(of: change) != nil:
            appPlace(of: change).flatMap { appProviders[$0].file }.map { [AtomicFile.target(of: $0)] } ?? []
        case .value:
            file(change.provider, for: change.key).map { $0.provider.isWritable ? [$0.provider.url] : [] } ?? []
        case .definition(.rename), .definition(.remove(withValues: true)):
            files.providers.filter(\.isWritable).map(\.url) + [files.manifestTarget]
        case .definition: [files.manifestTarget]
        case .note: []
        }
    }
}
