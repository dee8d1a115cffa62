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
    private let processLock: ProcessLock
    var workspace: Workspace
    var deniedAttempts: DeniedAttempts
    /// Why nothing is written any more until a restart has recovered the files.
    var suspension: String?

    /// Opens the files, takes the lock, finishes what a crash interrupted, and records what was edited meanwhile.
    ///
    /// - Parameters:
    ///   - files: The files to serve.
    ///   - options: How to treat them.
    /// - Throws: ``ChangeServiceStartError`` where a file can't be served; the values file is untouched then.
    public init(files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
        let firstLook = Workspace(files)
        try Self.checkServable(firstLook, files)
        processLock = try ProcessLock(url: files.lock)
        do {
            history = try HistoryStore(url: files.history)
            try Recovery(files: files, history: history, clock: options.clock).run()
        } catch let error as HistoryStoreError {
            throw .history(error)
        } catch let error as FileAccessError {
            throw .file(files.values.path(percentEncoded: false), error.description, remedy: "Then start again.")
        } catch {
            throw .file(files.values.path(percentEncoded: false), "\(error)", remedy: "Then start again.")
        }
        self.files = files
        self.options = options
        deniedAttempts = DeniedAttempts(limit: options.deniedRowsPerMinute)
        workspace = Workspace(files)
        try Self.checkServable(workspace, files)
        do {
            try OutsideEdits(history: history, clock: options.clock).record(workspace)
        } catch {
            throw .history(error)
        }
    }

    /// Writes into the lock file where this process can be reached, for a second one to tell.
    ///
    /// - Parameter address: Such as `http://127.0.0.1:8080/`.
    /// - Throws: ``ChangeServiceStartError`` where the lock file can't be written.
    public func announce(_ address: String) throws(ChangeServiceStartError) {
        try processLock.describe("\(address) (process \(ProcessInfo.processInfo.processIdentifier))")
    }

    /// The flags that may be seen, as the files are now.
    ///
    /// - Throws: ``ChangeRefusal`` where the history can't take up what was edited from outside.
    public func catalogue() throws(ChangeRefusal) -> FlagCatalogue {
        try refresh()
        return currentCatalogue()
    }

    /// Why nothing can be changed now, a sentence each; empty where changes are welcome.
    ///
    /// - Throws: ``ChangeRefusal`` where the history can't take up what was edited from outside.
    public func obstacles() throws(ChangeRefusal) -> [String] {
        try refresh()
        let readOnly = options.isReadOnly ? [ChangeRefusal.readOnly().description] : []
        return readOnly + workspace.problems + (suspension.map { [$0] } ?? [])
    }

    /// The flags that must not appear anywhere, the history included.
    ///
    /// - Throws: ``ChangeRefusal`` where the history can't take up what was edited from outside.
    public func hiddenKeys() throws(ChangeRefusal) -> Set<FlagKeyPath> {
        try refresh()
        return workspace.hiddenKeys(showsInternal: options.showsInternal)
    }

    /// Takes a new look at the files and records what somebody else did to them.
    func refresh() throws(ChangeRefusal) {
        let previous = workspace
        workspace = Workspace(files, previous: previous)
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
            guard case .failure(let problem) = file.content else { continue }
            throw .file(
                file.provider.url.path(percentEncoded: false), problem.description,
                remedy:
                    "Flagboard serves an Apple property list (XML) whose root is a dictionary; the file is untouched.")
        }
        if case .failure(let problem) = workspace.manifest.content {
            throw .file(
                files.manifest.path(percentEncoded: false), "the manifest is not valid:\n\(problem.description)",
                remedy: "Correct it, or name another one with --manifest; the file is untouched.")
        }
    }
}

extension Workspace {
    /// Reads every file, or only those that may have changed since `previous`.
    init(_ files: FlagFiles, previous: Workspace? = nil) {
        manifest = Manifest.read(files, previous: previous?.manifest)
        if case .success(let sound) = manifest.content {
            lastSoundManifest = sound
        } else {
            lastSoundManifest = previous?.lastSoundManifest
        }
        values = files.providers.enumerated().map { index, provider in
            Values.read(provider, previous: previous?.values[index])
        }
    }
}
