import Dispatch
import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Synchronization

struct ChangeContext: Sendable {
    let history: HistoryStore
    let options: ChangeServiceOptions
    private let place: FilePlace
    let versionSecret = FilesVersion.secret()
    /// The thread that waits for the disk.
    private let disk = DispatchQueue(label: "flagboard.changes")

    init(files: FlagFiles, history: HistoryStore, options: ChangeServiceOptions, exchanges: Set<URL>) {
        self.history = history
        self.options = options
        place = FilePlace(files, exchanges)
    }

    /// The files, which don't move during a round.
    var files: FlagFiles { place.state.withLock(\.files) }

    var exchanges: Set<URL> { place.state.withLock(\.exchanges) }

    func move(to files: FlagFiles) { place.state.withLock { $0.files = files } }

    func setExchanges(_ exchanges: Set<URL>) { place.state.withLock { $0.exchanges = exchanges } }

    /// The refusal of a change in read-only mode, with its cause.
    func readOnlyRefusal(of key: FlagKeyPath? = nil) -> ChangeError {
        options.isReadOnlyByVolume ? .readOnlyVolume(of: files.values, key) : .readOnly(key)
    }

    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: body()) }
        }
    }
}

private final class FilePlace: Sendable {
    let state: Mutex<(files: FlagFiles, exchanges: Set<URL>)>

    init(_ files: FlagFiles, _ exchanges: Set<URL>) { state = Mutex((files, exchanges)) }
}

package struct ChangeServiceOptions: Sendable {
    package var isReadOnly: Bool
    /// True if nobody asked for ``isReadOnly``, but the volume of the main values file is mounted read-only.
    package var isReadOnlyByVolume = false
    /// Shows internal flags and allows changes of them.
    package var showsInternal: Bool
    /// The number of refused attempts that the history keeps.
    package var deniedRowsPerMinute: Int
    /// True if the app's code defines the flags: only locks can be changed.
    package var definesInCode = false
    /// The sources that providers' files are kept up to date from.
    package var sources: [FollowedSource] = []
    /// The server that defines the flags, so that definitions and locks can't be changed here.
    var definingServer: String? { sources.lazy.compactMap(\.definingServer).first }
    /// The rules of the main file's environment, besides those of the manifest.
    package var rules = EnvironmentRules.none
    package var appProviders: @Sendable () -> [AppProvider] = { [] }
    package var clock: @Sendable () -> Date
    package var log: @Sendable (String) -> Void
    /// Receives durable rows; must not block.
    package var recorded: @Sendable (RecordedRows) -> Void = { _ in }
    /// Called when changes are in the files, before the answer, to update other readers in the process.
    package var written: @Sendable () -> Void = {}
    /// Receives each refusal; must not block.
    package var refused: @Sendable (ChangeError) -> Void = { _ in }
    /// True to record nothing and refuse changes.
    var isObserving = false
    /// Others can change watched flags, so they aren't shown as read-only.
    var showsReadOnly: Bool { isReadOnly && !isObserving }
    /// The longest time that a sound file may be half written.
    var halfWrittenPatience = Duration.milliseconds(500)
    var waitingClock: any Clock<Duration> = ContinuousClock()
    /// The size in bytes above which external edits don't block requests.
    var largestEditAtOnce = 64 * 1024
    /// The longest wait for a larger edit.
    var patienceOfReaders = Duration.seconds(1)
    /// The longest wait for other writers of a file.
    package var patience = Duration.seconds(FolderLock.patience)
    /// The longest wait for another process that holds the history.
    package var busyTimeout = Duration.seconds(5)
    var servedFolder = ServerRegistry.sharedFolder
    var actions = FileReplacement.Actions()
    var canExchange: @Sendable (URL) throws(FileAccessError) -> Bool = { (url) throws(FileAccessError) in
        try AtomicFile.canExchange(beside: url, writer: FlagFiles.temporaryWriter)
    }

    package init(
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
