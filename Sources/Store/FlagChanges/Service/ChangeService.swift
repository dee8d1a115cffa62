import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The flags of some files: a queue for all changes, the current files, and a reader.
///
/// ```swift
/// let service = try ChangeService(files: FlagFiles(values: URL(filePath: "flags.xml")))
/// let author = ChangeAuthor(name: "ada", role: .editor, origin: .code)
/// let key = FlagKeyPath("checkout", "new_flow")
/// try await service.apply(Change(key: key, action: .setText("true"), reason: "Try it out."), by: author)
/// let entry = try await service.overview().catalogue[key]
/// ```
///
/// Changes wait in the ``WriteQueue`` and go in rounds (``ChangeRound``) from the bytes of the ``ServedFiles``,
/// through the rules (``ChangePlan``), to the files and the history (``FilesTransaction``). Reads (``FlagReader``)
/// never wait for a round.
public struct ChangeService: Sendable {
    /// The service's options.
    package typealias Options = ChangeServiceOptions

    /// The files at the last resolved link targets.
    package var files: FlagFiles { context.files }
    /// The record of every change.
    package let history: HistoryStore
    let context: ChangeContext
    let served: ServedFiles
    let queue: WriteQueue
    let reader: FlagReader
    /// A placeholder for a missing history.
    private let emptyHistory: EmptyHistory?

    /// True if every change is refused.
    package var isReadOnly: Bool { context.options.isReadOnly }
    /// True if the app's code defines the flags.
    package var definesInCode: Bool { context.options.definesInCode }
    /// The server that defines the flags, so that definitions and locks can't be changed here.
    package var definingServer: String? { context.options.definingServer }
    /// True if internal flags are visible.
    package var showsInternal: Bool { context.options.showsInternal }

    package var log: @Sendable (String) -> Void { context.options.log }

    /// Opens and locks the files, completes interrupted changes, and records edits made meanwhile.
    ///
    /// - Parameters:
    ///   - files: The files to serve.
    ///   - options: The service's options.
    /// - Throws: ``ChangeServiceStartError`` if a file can't be served; values files and manifest are then untouched.
    package init(files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
        served = try ServedFiles(files, options)
        context = served.context
        queue = WriteQueue(served)
        reader = FlagReader(served, queue)
        history = context.history
        emptyHistory = nil
    }

    /// Opens files for observation, without locking, recording or writing.
    ///
    /// External edits reach the history once the files are served. SQLite keeps two files beside a history that is
    /// read.
    ///
    /// - Parameters:
    ///   - files: The files, which another process may serve.
    ///   - options: The service's options.
    /// - Throws: ``ChangeServiceStartError`` if a file can't be read.
    package init(observing files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
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

    /// Writes this process's address into the lock files.
    ///
    /// - Parameters:
    ///   - address: Such as `http://127.0.0.1:8080/`.
    ///   - answersSocket: Announces ``socket`` to the user's other programs too.
    /// - Throws: ``ChangeServiceStartError`` if a lock file can't be written.
    package func announce(_ address: String, answersSocket: Bool = false) async throws(ChangeServiceStartError) {
        try await served.announce(address, answersSocket: answersSocket)
    }

    /// The place for a socket that only this user can reach, if the user's processes share a folder.
    package var socket: URL? { served.registry?.socket }

    /// Returns the current flags, obstacles and hidden keys.
    ///
    /// - Throws: ``ChangeError`` if the history is damaged.
    package func overview() async throws(ChangeError) -> FlagOverview { try await reader.overview() }

    /// Returns a sequence of all changes from now on, one for each consumer.
    ///
    /// External edits appear at once while ``watch()`` runs, else at the next request.
    ///
    /// - Throws: ``HistoryStoreError`` if the history can't be read.
    package func updates() async throws(HistoryStoreError) -> ServiceUpdates { try await served.updates() }

    package func lastShownRow() async throws(HistoryStoreError) -> Int64 { try await served.lastShownRow() }

    /// Records external edits as they happen, until the task is cancelled.
    ///
    /// Requests look at the files too; watching records the time of edits between them, and reports them to
    /// ``updates()``.
    package func watch() async { await served.watch() }
}
