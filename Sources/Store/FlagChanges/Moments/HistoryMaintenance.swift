import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

/// Work on a history that no process serves meanwhile.
public struct HistoryMaintenance {
    private let files: FlagFiles
    private let history: HistoryStore
    private let lock: ProcessLock
    private let author: ChangeAuthor

    /// Opens the history for as long as this value lives.
    ///
    /// - Parameters:
    ///   - files: The files that it is about.
    ///   - author: Who does the work.
    ///   - log: Takes what an operator should know.
    /// - Throws: ``ChangeServiceStartError`` where a server has it, and which; ``HistoryStoreError`` where it can't be used.
    public init(_ files: FlagFiles, by author: ChangeAuthor, log: @escaping @Sendable (String) -> Void) throws {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        self.files = files
        self.author = author
        lock = try ChangeServiceStartError.unlessLocked { () throws(LockError) in
            try ProcessLock(of: files.history)
        }
        history = try HistoryStore(url: files.history, report: log)
    }

    /// Moves the oldest rows into a signed archive.
    ///
    /// - Parameters:
    ///   - extent: Which rows.
    ///   - archive: The file to move them to, which must not exist, nor be one that Flagboard works with once it does;
    ///     `nil` for one beside the history.
    ///   - reason: Why, in the author's words; may be empty.
    ///   - now: The time, in UTC.
    /// - Returns: What was pruned, `nil` where there was nothing to prune; and the rows that stay although they were asked for,
    ///   `nil` where there are none.
    /// - Throws: ``HistoryStoreError``; nothing was removed then.
    public func prune(
        _ extent: PruningExtent, archive: URL?, reason: String, now: Date
    ) throws(HistoryStoreError) -> (anchor: HistoryAnchor?, heldBack: PrunableRows.HeldBack?) {
        defer { history.close() }
        if let archive { try checkUnused(archive) }
        let rows = try history.prunable(extent, now: now)
        try history.removeTemporaries(of: archive)
        guard let last = rows.last else { return (nil, rows.heldBack) }
        let anchor = try history.prune(upTo: last, archive: archive, recording: event(.prune, reason, now))
        return (anchor, rows.heldBack)
    }

    /// Goes on with a history that is not what was signed, such as an older copy that was put back on purpose.
    ///
    /// - Parameters:
    ///   - reason: Why, in the author's words.
    ///   - now: The time, in UTC.
    /// - Returns: What was accepted, as a clause; `nil` where there was nothing to accept.
    /// - Throws: ``HistoryStoreError``; nothing was done then.
    public func accept(reason: String, now: Date) throws(HistoryStoreError) -> String? {
        defer { history.close() }
        return try history.accept(recording: event(.accept, reason, now))
    }

    /// Makes anew what rows are found by: the texts, the index of their words, and the hours.
    ///
    /// - Returns: How many rows there are.
    /// - Throws: ``HistoryStoreError``; nothing was done then.
    public func reindex() throws(HistoryStoreError) -> Int {
        defer { history.close() }
        return try history.reindex()
    }

    private func checkUnused(_ archive: URL) throws(HistoryStoreError) {
        let path = files.history.path(percentEncoded: false)
        let use: FlagFiles.Use?
        do {
            use = try files.use(of: archive)
        } catch {
            throw .refusal(error.description, path: path)
        }
        guard let use else { return }
        throw .refusal(
            "\(archive.path(percentEncoded: false)) is \(use.name); name another file with --archive", path: path)
    }

    private func event(_ kind: HistoryRecord.Kind, _ reason: String, _ now: Date) -> HistoryEvent {
        HistoryEvent(
            batch: UUID(), at: now, actor: author.name, role: author.role.rawValue, origin: author.origin, kind: kind,
            provider: nil, key: Self.key, type: nil, before: nil, after: nil, reason: reason,
            requestID: author.requestID)
    }

    /// What rows about the history itself are filed under.
    static let key = FlagKeyPath(components: ["history"])
}
