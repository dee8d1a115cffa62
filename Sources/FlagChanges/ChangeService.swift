import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The only way in which flags are written: every rule is enforced here, once, for whoever asks.
///
/// The service is serial: one change at a time goes from the file's bytes, through the rules, to the file and the history.
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
    private let locks: [ProcessLock]
    /// The files whose file system can swap them with another at one stroke.
    let exchanges: Set<URL>
    var workspace: Workspace
    var deniedAttempts: DeniedAttempts
    /// Why nothing is written any more until a restart has recovered the files.
    var suspension: Obstacle?

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
        do {
            history = try HistoryStore(url: files.history, report: options.log)
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
        exchanges = Self.exchanges(of: files, options)
        deniedAttempts = DeniedAttempts(limit: options.deniedRowsPerMinute)
        workspace = Workspace(files)
        try Self.checkServable(workspace, files)
        do {
            try OutsideEdits(history: history, clock: options.clock).record(workspace)
        } catch {
            throw .history(error)
        }
    }

    /// Finds out which files can be swapped; says so where one can't.
    private static func exchanges(of files: FlagFiles, _ options: Options) -> Set<URL> {
        Set(
            files.providers.filter { $0.isWritable && !options.isReadOnly }.map(\.url).filter { url in
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
        for lock in locks { try lock.describe("\(address) (process \(ProcessInfo.processInfo.processIdentifier))") }
    }

    /// The flags that may be seen, what stands in the way of changes, and what the history must not show, all as the
    /// files are now.
    ///
    /// - Throws: ``ChangeRefusal`` where the history can't take up what was edited from outside.
    public func overview() throws(ChangeRefusal) -> FlagOverview {
        try refresh()
        let catalogue = currentCatalogue()
        let readOnly = options.isReadOnly ? [Obstacle(ChangeRefusal.readOnly().description)] : []
        return FlagOverview(
            catalogue: catalogue, obstacles: readOnly + workspace.obstacles + (suspension.map { [$0] } ?? []),
            hiddenKeys: workspace.hiddenKeys(catalogue, showsInternal: options.showsInternal))
    }

    /// Takes a new look at the files and records what somebody else did to them.
    ///
    /// While a change is neither completed nor taken back, nobody can tell that from what somebody else did: the next
    /// start does both.
    func refresh() throws(ChangeRefusal) {
        let previous = workspace
        workspace = Workspace(files, previous: previous)
        let known = previous.obstacles
        for obstacle in workspace.obstacles where !known.contains(obstacle) { options.log(obstacle.detail) }
        guard suspension == nil else { return }
        do {
            try OutsideEdits(history: history, clock: options.clock).record(workspace)
        } catch {
            workspace = previous
            throw ChangeRefusal(storing: error)
        }
    }

    func currentCatalogue() -> FlagCatalogue {
        FlagCatalogue(
            manifest: workspace.definitions,
            snapshots: workspace.snapshots(isReadOnly: options.isReadOnly || suspension != nil),
            showsInternal: options.showsInternal)
    }

    private static func checkServable(_ workspace: Workspace, _ files: FlagFiles) throws(ChangeServiceStartError) {
        for file in workspace.values {
            guard case .failure(let obstacle) = file.content else { continue }
            throw .file(
                file.provider.path, obstacle.fault,
                remedy:
                    "Flagboard serves an Apple property list (XML) whose root is a dictionary; the file is untouched.")
        }
        if case .failure(let obstacle) = workspace.manifest.content {
            throw .file(
                files.manifest.path(percentEncoded: false), "the manifest is not valid:\n\(obstacle.fault)",
                remedy: "Correct it, or name another one with --manifest; the file is untouched.")
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
