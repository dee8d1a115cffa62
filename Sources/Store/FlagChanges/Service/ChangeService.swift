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
    package typealias Options = ChangeServiceOptions

    /// The files at the last resolved link targets.
    package var files: FlagFiles { context.files }
    package let history: HistoryStore
    let context: ChangeContext
    let served: ServedFiles
    let queue: WriteQueue
    let reader: FlagReader
    private let emptyHistory: EmptyHistory?

    package var isReadOnly: Bool { context.options.isReadOnly }
    /// The cause of read-only mode and its remedy, as sentences; `nil` if it was asked for.
    package var readOnlyCause: String? {
        guard context.options.isReadOnlyByVolume else { return nil }
        let refusal = context.readOnlyRefusal()
        return "\(refusal.description) \(refusal.remedy)"
    }
    package var definesInCode: Bool { context.options.definesInCode }
    package var sources: [FollowedSource] { context.options.sources }
    package var definingServer: String? { context.options.definingServer }
    package var showsInternal: Bool { context.options.showsInternal }

    package var log: @Sendable (String) -> Void { context.options.log }

    /// Opens and locks the files, completes interrupted changes, and records edits made meanwhile.
    ///
    /// If it throws, values files and manifest are untouched.
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
    /// Another process may serve them, and records external edits. SQLite keeps two files beside a history that is
    /// read.
    package init(observing files: FlagFiles, options: Options = Options()) throws(ChangeServiceStartError) {
        var options = options
        (options.isReadOnly, options.isObserving) = (true, true)
        (history, emptyHistory) = try ChangeServiceStartError.unlessFailing(files) {
            guard try AtomicFile.signature(of: files.history) == nil else {
                return (try HistoryStore(reading: files.history, names: files.providerNames), nil)
            }
            let empty = try EmptyHistory()
            return (empty.store, empty)
        }
        served = try ServedFiles(observing: files, history, options)
        context = served.context
        queue = WriteQueue(served)
        reader = FlagReader(served, queue)
    }

    /// Writes this process's address, such as `http://127.0.0.1:8080/`, into the lock files.
    ///
    /// `answersSocket` announces ``socket`` to the user's other programs too.
    package func announce(_ address: String, answersSocket: Bool = false) async throws(ChangeServiceStartError) {
        try await served.announce(address, answersSocket: answersSocket)
    }

    /// A socket that only this user can reach, if the user's processes share a folder.
    package var socket: URL? { served.registry?.socket }
    /// A socket for this user's running apps, beside ``socket``.
    package var socketForApps: URL? { served.registry?.socketForApps }

    /// Looks at the files and at the running apps soon.
    package func lookSoon() async { await served.watcher.tell() }

    package func overview() async throws(ChangeError) -> FlagOverview { try await reader.overview() }

    /// Returns a sequence of all changes from now on, one for each consumer.
    ///
    /// External edits appear at once while ``watch()`` runs, else at the next request.
    package func updates() async throws(HistoryStoreError) -> ServiceUpdates { try await served.updates() }

    package func lastShownRow() async throws(HistoryStoreError) -> Int64 { try await served.lastShownRow() }

    /// Records external edits as they happen, until the task is cancelled.
    ///
    /// Requests also look at the files; watching records the time of edits between them.
    package func watch() async { await served.watch() }
}
