import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The flags of some files: a queue through which every change of them goes, the files as they are, and a reader.
///
/// ```swift
/// let service = try ChangeService(files: FlagFiles(values: URL(filePath: "flags.xml")))
/// let author = ChangeAuthor(name: "ada", role: .editor, origin: .code)
/// let key = FlagKeyPath("checkout", "new_flow")
/// try await service.apply(Change(key: key, action: .setText("true"), reason: "Try it out."), by: author)
/// let entry = try await service.overview().catalogue[key]
/// ```
///
/// Changes wait in the ``WriteQueue`` and go in rounds (``ChangeRound``) from the bytes of the ``ServedFiles``, through the
/// rules (``ChangePlan``), to the files and the history (``FilesTransaction``). Reads (``FlagReader``) never wait for a round.
public struct ChangeService: Sendable {
    /// How the service treats what it serves.
    public typealias Options = ChangeServiceOptions

    /// The files that are served, where links led when they were last looked at.
    public var files: FlagFiles { context.files }
    /// The record of every change.
    public let history: HistoryStore
    let context: ChangeContext
    let served: ServedFiles
    let queue: WriteQueue
    let reader: FlagReader
    /// What stands for the history where there is none, for as long as the service lives.
    private let emptyHistory: EmptyHistory?

    /// Whether every change is refused.
    public var isReadOnly: Bool { context.options.isReadOnly }
    /// Whether flags are defined by code, and so not here.
    public var definesInCode: Bool { context.options.definesInCode }
    /// The other server that defines the flags, so that no definition and no lock is changed here; `nil` where none does.
    public var definingServer: String? { context.options.definingServer }
    /// Whether internal flags can be seen.
    public var showsInternal: Bool { context.options.showsInternal }

    /// Takes what an operator should know.
    package var log: @Sendable (String) -> Void { context.options.log }

    /// Opens the files, takes the locks, finishes what a crash interrupted, and records what was edited meanwhile.
    ///
    /// - Parameters:
    ///   - files: The files to serve.
    ///   - options: How to treat them.
    /// - Throws: ``ChangeServiceStartError`` where a file can't be served; values files and manifest are untouched then.
    public init(files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
        served = try ServedFiles(files, options)
        context = served.context
        queue = WriteQueue(served)
        reader = FlagReader(served, queue)
        history = context.history
        emptyHistory = nil
    }

    /// Opens the files to look at them alone, also beside a process that serves them: nothing is locked, recorded or written,
    /// and every change is refused.
    ///
    /// What other programs write is seen at the next look; it is in the history once the files are served. SQLite keeps two files
    /// beside a history that is read.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - options: How to treat them.
    /// - Throws: ``ChangeServiceStartError`` where a file can't be read.
    public init(observing files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
        var options = options
        (options.isReadOnly, options.isObserving) = (true, true)
        (history, emptyHistory) = try ChangeServiceStartError.unlessFailing(files) {
            guard try AtomicFile.signature(of: files.history) == nil else {
                return (try HistoryStore(reading: files.history), nil)
            }
            let empty = try EmptyHistory()
            return (empty.store, empty)
        }
        served = try ServedFiles(observing: files, history, options)
        context = served.context
        queue = WriteQueue(served)
        reader = FlagReader(served, queue)
    }

    /// Writes into the lock files where this process can be reached, for a second one to tell.
    ///
    /// - Parameters:
    ///   - address: Such as `http://127.0.0.1:8080/`.
    ///   - answersSocket: Whether ``socket`` is answered too, for the user's other programs to be told of.
    /// - Throws: ``ChangeServiceStartError`` where the lock file can't be written.
    public func announce(_ address: String, answersSocket: Bool = false) async throws(ChangeServiceStartError) {
        try await served.announce(address, answersSocket: answersSocket)
    }

    /// Where this process may answer the user's other programs: the place of a socket that no other user can reach.
    ///
    /// `nil` where the user's processes have no place to tell one another of (``RunningServer``).
    public var socket: URL? { served.registry?.socket }

    /// The flags that may be seen, what keeps changes from being made, and what the history must not show, all as the
    /// files are now.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func overview() async throws(ChangeError) -> FlagOverview { try await reader.overview() }

    /// Every change from now on, as soon as the service knows of it.
    ///
    /// Each consumer has a sequence of its own. Edits from outside are among them where ``watch()`` runs, else at the next
    /// request.
    ///
    /// - Throws: Where the history can't be read.
    public func updates() async throws(HistoryStoreError) -> ServiceUpdates { try await served.updates() }

    /// The number of the history's last row that the flags are shown with: rows of changes that are under way are not among them.
    package func lastShownRow() async throws(HistoryStoreError) -> Int64 { try await served.lastShownRow() }

    /// Takes up what is edited outside as soon as it happens, until the task is cancelled.
    ///
    /// Every request looks at the files as well; this is for the times between two requests, so that the history says
    /// when something was edited, and for those who follow ``updates()``.
    public func watch() async { await served.watch() }
}
