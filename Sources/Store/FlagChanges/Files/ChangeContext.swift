import Dispatch
import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Synchronization

/// What a change service has for as long as it lives.
struct ChangeContext: Sendable {
    let history: HistoryStore
    let options: ChangeServiceOptions
    private let place: FilePlace
    /// What makes each ``FilesVersion``.
    let versionSecret = FilesVersion.secret()
    /// The thread that waits for the disk, so that no other has to.
    private let disk = DispatchQueue(label: "flagboard.changes")

    init(files: FlagFiles, history: HistoryStore, options: ChangeServiceOptions, exchanges: Set<URL>) {
        self.history = history
        self.options = options
        place = FilePlace(files, exchanges)
    }

    /// The files, where links led when they were last looked at; they stay there while a round is under way.
    var files: FlagFiles { place.state.withLock(\.files) }

    /// The files whose file system can swap them with another at one stroke.
    var exchanges: Set<URL> { place.state.withLock(\.exchanges) }

    /// Takes up where links lead now.
    func move(to files: FlagFiles) { place.state.withLock { $0.files = files } }

    /// Takes up which files can be swapped.
    func setExchanges(_ exchanges: Set<URL>) { place.state.withLock { $0.exchanges = exchanges } }

    /// Runs what may wait for the disk, while others are answered.
    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: body()) }
        }
    }
}

/// Where the files are, which a link may change.
private final class FilePlace: Sendable {
    let state: Mutex<(files: FlagFiles, exchanges: Set<URL>)>

    init(_ files: FlagFiles, _ exchanges: Set<URL>) { state = Mutex((files, exchanges)) }
}

/// How the service treats what it serves.
public struct ChangeServiceOptions: Sendable {
    /// Refuses every change.
    public var isReadOnly: Bool
    /// Lets internal flags be seen and changed.
    public var showsInternal: Bool
    /// How many refused attempts a minute the history keeps.
    public var deniedRowsPerMinute: Int
    /// Whether the app that the service is part of defines the flags in its code: the manifest is what that says, and no
    /// change of a definition is taken but of a lock.
    public var definesInCode = false
    /// The other server whose definitions these are: no change of one, or of a lock, is taken.
    public var definingServer: String?
    /// The providers of that app whose values are in none of the files, as they are now.
    public var appProviders: @Sendable () -> [AppProvider] = { [] }
    /// Why what a file holds for flags is but the last good value, by the name of its provider: a source of the server is broken
    /// whose flags these are.
    public var brokenFlags: @Sendable () -> [String: [FlagKeyPath: FlagValueError]] = { [:] }
    /// The flags that this app does not read from a file, by the name of the file's provider: what the file holds for them
    /// counts for nothing, and no change of it is taken.
    public var unreadFlags: [String: Set<FlagKeyPath>] = [:]
    /// The time.
    public var clock: @Sendable () -> Date
    /// Takes what an operator should know of and no request waits for.
    public var log: @Sendable (String) -> Void
    /// Is told how many rows were stored, once they are durable; it must not wait for anything.
    public var recorded: @Sendable (RecordedRows) -> Void = { _ in }
    /// Called once changes are in the files, before they are answered: what else in the process reads the files can take them up,
    /// so that who made a change finds it in force.
    public var written: @Sendable () -> Void = {}
    /// Takes why a request for changes was refused; it must not wait for anything.
    public var refused: @Sendable (ChangeError) -> Void = { _ in }
    /// Whether the files are looked at alone: nothing is recorded.
    var isObserving = false
    /// Whether the flags are shown as such that can't be changed: those that are only looked at can be, by others.
    var showsReadOnly: Bool { isReadOnly && !isObserving }
    /// How long a file that was sound may be missing or not valid before that counts: it may be half written.
    var halfWrittenPatience = Duration.milliseconds(500)
    /// What half-written files are waited for by, and the looks at files that can't be watched.
    var waitingClock: any Clock<Duration> = ContinuousClock()
    /// How many bytes a file has at most whose edit by another program is taken up at once: no request is answered meanwhile.
    var largestEditAtOnce = 64 * 1024
    /// How long a reader waits for a larger one; from then on the last state is shown.
    var patienceOfReaders = Duration.seconds(1)
    /// How long a change waits for other programs that write its file.
    package var patience = Duration.seconds(FolderLock.patience)
    /// How long a change waits for another process that holds the history.
    var busyTimeout = Duration.seconds(5)
    /// Where the processes of a user tell one another what they serve.
    var servedFolder = ServerRegistry.sharedFolder
    /// The calls that replace a file.
    var actions = FileReplacement.Actions()
    /// Whether a file's folder is on a file system that can swap two files.
    var canExchange: @Sendable (URL) throws(FileAccessError) -> Bool = { (url) throws(FileAccessError) in
        try AtomicFile.canExchange(beside: url, writer: FlagFiles.temporaryWriter)
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
