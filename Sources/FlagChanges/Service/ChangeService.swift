import Dispatch
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The only way in which flags are written: every rule is enforced here, once, for whoever asks.
///
/// Changes wait in one queue (``ChangeQueue``) and go in rounds (``ChangeRound``) from the files' bytes, through the rules
/// (``ChangePlan``), to the files and the history (``FilesTransaction``). Reads never wait for a round.
public actor ChangeService {
    /// How the service treats what it serves.
    public struct Options: Sendable {
        /// Refuses every change.
        public var isReadOnly: Bool
        /// Lets internal flags be seen and changed.
        public var showsInternal: Bool
        /// How many refused attempts a minute the history keeps.
        public var deniedRowsPerMinute: Int
        /// The time.
        public var clock: @Sendable () -> Date
        /// Takes what an operator should know and nobody needs to wait for.
        public var log: @Sendable (String) -> Void
        /// How long a file that was sound may be missing or not valid before that counts: it may be half written.
        var halfWrittenPatience = Duration.milliseconds(500)
        /// What half-written files are waited for by, and the looks at files that can't be watched.
        var waitingClock: any Clock<Duration> = ContinuousClock()
        /// How long a change waits for other programs that write its file.
        var patience = Duration.seconds(FolderLock.patience)
        /// How long a change waits for another process that holds the history.
        var busyTimeout = Duration.seconds(5)
        /// Where the processes of a user tell one another what they serve.
        var servedFolder = ServerRegistry.sharedFolder
        /// The calls that replace a file.
        var actions = FileReplacement.Actions()
        /// Whether a file's folder is on a file system that can swap two files.
        var canExchange: @Sendable (URL) throws(FileAccessError) -> Bool = { (url) throws(FileAccessError) in
            try AtomicFile.canExchange(beside: url, writer: Recovery.temporaryWriter)
        }

        /// Makes options; without arguments, those of the dashboard.
        public init(
            isReadOnly: Bool = false, showsInternal: Bool = false, deniedRowsPerMinute: Int = 60,
            clock: @escaping @Sendable () -> Date = { Date() }, log: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.isReadOnly = isReadOnly
            self.showsInternal = showsInternal
            self.deniedRowsPerMinute = deniedRowsPerMinute
            self.clock = clock
            self.log = log
        }
    }

    /// The files that are served.
    public nonisolated let files: FlagFiles
    /// The record of every change.
    public nonisolated let history: HistoryStore
    nonisolated let options: Options
    /// Whether every change is refused.
    public nonisolated var isReadOnly: Bool { options.isReadOnly }
    /// Whether internal flags can be seen.
    public nonisolated var showsInternal: Bool { options.showsInternal }
    let locks: [ProcessLock]
    /// What other processes are told of the files that are locked; `nil` where they can't be told.
    let servedFiles: ServerRegistry?
    nonisolated let context: ChangeContext
    /// The thread that waits for the disk, so that nobody else has to.
    nonisolated let disk = DispatchQueue(label: "flagboard.changes")
    var queue = ChangeQueue()
    /// Whether the files may hold what the history does not yet.
    var isRoundUnderWay = false
    /// Whether somebody wanted to look meanwhile.
    var isLookDue = false
    /// The history's last row when the round began.
    var rowBeforeRound: Int64?
    var workspace: Workspace
    /// What was found in the files where one may be half written, while that is waited for.
    var awaited: Workspace?
    private var catalogueCache = CatalogueCache()
    var ages = StaleOverrides()
    private var lastChangeLookups = HistoryLookupCache<HiddenKeys, LastChange>()
    var restarts = PendingRestartCache()
    var pastFlags = PastStateCache()
    var deniedAttempts: DenialLimit
    /// What must be settled before anything else is written.
    var unsettled: UnsettledChange?
    /// Whether the service settles it by itself in a moment.
    var isSettlingPlanned = false
    /// Why nothing can be written as things stand; the next look may find it gone.
    var writeBlock: WriteBlock?
    /// Whether somebody looks again in a moment, since another process held the history.
    var isLookPlanned = false
    /// The wait for a file that may be half written.
    var settling: Task<Void, Never>?
    /// Tells when a file may have changed; made when somebody first asks.
    lazy var watcher = FileWatcher(files.watched)
    let updateFeed = UpdateFeed()
    /// The fields of the manifest that the operator has been told to have no effect.
    var toldFields: Set<MisspelledField> = []
    var told = ToldState()

    /// Opens the files, takes the locks, finishes what a crash interrupted, and records what was edited meanwhile.
    ///
    /// - Parameters:
    ///   - files: The files to serve.
    ///   - options: How to treat them.
    /// - Throws: ``ChangeServiceStartError`` where a file can't be served; values files and manifest are untouched then.
    public init(files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
        try files.checkDistinct()
        let firstLook = Workspace(files)
        try Self.checkServable(firstLook, files)
        locks = try ProcessLock.all(for: files, isReadOnly: options.isReadOnly)
        servedFiles = try ServerRegistry.claim(locks.map(\.url), in: options.servedFolder, log: options.log)
        do {
            history = try HistoryStore(url: files.history, busyTimeout: options.busyTimeout, report: options.log)
            try Self.checkManifest(files, history)
            try Recovery(files: files, history: history, clock: options.clock).run()
        } catch let error as HistoryStoreError {
            throw .history(error)
        } catch let error as ChangeServiceStartError {
            throw error
        } catch let error as FileAccessError {
            throw .file(files.values.path(percentEncoded: false), error.description, remedy: "Then start again.")
        } catch {
            throw .file(files.values.path(percentEncoded: false), "\(error)", remedy: "Then start again.")
        }
        self.files = files
        self.options = options
        context = ChangeContext(
            files: files, history: history, options: options, exchanges: Self.exchanges(of: files, options))
        deniedAttempts = DenialLimit(limit: options.deniedRowsPerMinute)
        workspace = Workspace(files)
        try Self.checkServable(workspace, files)
        do {
            try OutsideEdits(history: history, clock: options.clock).record(workspace)
            try workspace.rememberInternals(of: history)
        } catch {
            throw .history(error)
        }
        toldFields = workspace.tellMistakenFields(besides: [], options.log)
        if !options.isReadOnly { workspace.tellLinkedFiles(besides: [], options.log) }
    }

    /// Finds out which files can be swapped; says so where one can't.
    private static func exchanges(of files: FlagFiles, _ options: Options) -> Set<URL> {
        guard !options.isReadOnly else { return [] }
        return Set(
            files.replaceable.filter { url in
                do throws(FileAccessError) {
                    if try options.canExchange(url) { return true }
                    options.log(
                        "\(url.path(percentEncoded: false)): this file system can't swap two files, so an edit by another "
                            + "program at the very moment of a change is found a little later")
                    return false
                } catch {
                    options.log("\(error.description)")
                    return true
                }
            })
    }

    /// Writes into the lock files where this process can be reached, for a second one to tell.
    ///
    /// - Parameter address: Such as `http://127.0.0.1:8080/`.
    /// - Throws: ``ChangeServiceStartError`` where the lock file can't be written.
    public func announce(_ address: String) throws(ChangeServiceStartError) {
        let holder = "\(address) (process \(ProcessInfo.processInfo.processIdentifier))"
        for lock in locks { try lock.describe(holder) }
        servedFiles?.describe(holder, log: options.log)
    }

    /// The flags that may be seen, what stands in the way of changes, and what the history must not show, all as the
    /// files are now.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func overview() async throws(ChangeError) -> FlagOverview {
        try await refresh()
        let flags = currentFlags()
        let remembered = remembered(flags.catalogue)
        return FlagOverview(
            catalogue: flags.catalogue, fileProblems: currentProblems,
            version: workspace.version(context.versionSecret),
            hiddenKeys: flags.hiddenKeys,
            lastRow: isRoundUnderWay ? rowBeforeRound : newestRow(), pendingRestart: remembered.pendingRestart,
            unchanged: remembered.unchanged, linkedFiles: linkedFiles, unreadable: workspace.fileProblems,
            files: workspace.catalogueState(isReadOnly: options.isReadOnly))
    }

    /// The last change of each flag that may be seen.
    ///
    /// It takes no turn of the service: however slow the disk is, changes don't wait for it.
    ///
    /// - Parameter overview: The flags.
    /// - Returns: The changes; none for a flag that was not changed since the history began.
    /// - Throws: Why they can't be read.
    public nonisolated func lastChanges(
        of overview: FlagOverview
    ) async throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        let hiddenKeys = overview.hiddenKeys
        var lookups = await lastChangeLookups
        let found = try lookups.found(overview.files, hiddenKeys, history) {
            Set(overview.catalogue.entries.map(\.key))
        } lookUp: { (keys) throws(HistoryStoreError) in
            try history.lastChanges(of: keys, hiddenKeys: hiddenKeys)
        }
        await keep(lookups)
        return found
    }

    private func keep(_ lookups: HistoryLookupCache<HiddenKeys, LastChange>) { lastChangeLookups = lookups }

    /// The history's last row; `nil` where it can't be read, which is told as a problem wherever it matters.
    func newestRow() -> Int64? {
        switch Result(catching: { () throws(HistoryStoreError) in try history.chainHead().id }) {
        case .success(let id): id
        case .failure: nil
        }
    }

    /// Why nothing can be changed now, and which files can't be read.
    var currentProblems: [FileProblem] {
        let readOnly = options.isReadOnly ? [FileProblem(ChangeError.readOnly().description)] : []
        let standstill = unsettled?.fileProblem ?? writeBlock.map { FileProblem($0.refusal.description) }
        return readOnly + workspace.fileProblems + (standstill.map { [$0] } ?? [])
    }

    /// The files that have other names (hard links) which the next change would part from them.
    var linkedFiles: [URL] { options.isReadOnly ? [] : workspace.linkedFiles }

    /// The flags that may be seen, and what the history must not show.
    func currentFlags() -> CatalogueCache.Shown {
        let isReadOnly = options.isReadOnly || unsettled != nil || writeBlock != nil
        return catalogueCache.shown(of: workspace.catalogueState(isReadOnly: isReadOnly)) { previous in
            let catalogue = FlagCatalogue(
                manifest: workspace.definitions?.content, snapshots: workspace.snapshots(isReadOnly: isReadOnly),
                showsInternal: options.showsInternal, previous: previous,
                unknownFields: workspace.definitions?.unknownFields ?? [])
            let hidden = workspace.hiddenFlags(showsInternal: options.showsInternal)
            return CatalogueCache.Shown(
                catalogue: catalogue, hiddenKeys: HiddenKeys(hidden, besides: catalogue))
        }
    }

    func currentCatalogue() -> FlagCatalogue { currentFlags().catalogue }

    private static func checkServable(_ workspace: Workspace, _ files: FlagFiles) throws(ChangeServiceStartError) {
        for file in workspace.values {
            guard case .failure(let fileProblem) = file.content else { continue }
            throw .file(
                file.provider.path, fileProblem.fault,
                remedy: fileProblem.isContentAtFault
                    ? "Flagboard serves an Apple property list (XML) whose root is a dictionary; the file is untouched."
                    : "Then start again.")
        }
        if case .failure(let fileProblem) = workspace.manifest.content {
            throw .manifest(files.manifest, fileProblem, remedy: "Correct it, or name another one with --manifest")
        }
    }

    /// Refuses to go on without the manifest that there was: its locks would be lifted and its internal flags shown.
    static func checkManifest(_ files: FlagFiles, _ history: HistoryStore) throws {
        let path = files.manifest.path(percentEncoded: false)
        guard try AtomicFile.signature(of: files.manifest) == nil,
            try history.headHash(of: .manifest, at: path) != nil
        else { return }
        throw ChangeServiceStartError.file(
            path, "the manifest is gone; without it every lock would be lifted and every internal flag shown.",
            remedy: """
                Put it back. To go on without definitions, put this there instead:
                <plist version="1.0"><dict><key>version</key><integer>1</integer></dict></plist>
                """)
    }
}
