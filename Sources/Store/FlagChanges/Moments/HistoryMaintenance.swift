import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

/// Maintenance of a history that no process serves meanwhile.
package struct HistoryMaintenance {
    private let files: FlagFiles
    private let history: HistoryStore
    private let lock: ProcessLock
    private let author: ChangeAuthor

    /// Opens and locks the history for the lifetime of this value.
    ///
    /// - Parameters:
    ///   - files: The files that the history is about.
    ///   - author: The author of the maintenance.
    ///   - log: Logs a message for the operator.
    /// - Throws: ``ChangeServiceStartError`` that names the server which has it; ``HistoryStoreError`` if it can't be
    ///   used.
    package init(_ files: FlagFiles, by author: ChangeAuthor, log: @escaping @Sendable (String) -> Void) throws {
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
    ///   - extent: The rows to move.
    ///   - archive: A new file, not one of Flagboard's own; `nil` for one beside the history.
    ///   - reason: The author's reason; may be empty.
    ///   - now: The time, in UTC.
    /// - Returns: The pruned part, and the requested rows that stay; each `nil` if there are none.
    /// - Throws: ``HistoryStoreError``; no row was removed then.
    package func prune(
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

    /// Continues with a history that differs from the signed one, such as a copy restored on purpose.
    ///
    /// - Parameters:
    ///   - reason: The author's reason.
    ///   - now: The time, in UTC.
    /// - Returns: What was accepted, as a clause; `nil` for nothing.
    /// - Throws: ``HistoryStoreError``; nothing was changed then.
    package func accept(reason: String, now: Date) throws(HistoryStoreError) -> String? {
        defer { history.close() }
        return try history.accept(recording: event(.accept, reason, now))
    }

    /// Rebuilds the search index: the texts, their words and the hours.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``HistoryStoreError``; nothing was changed then.
    package func reindex() throws(HistoryStoreError) -> Int {
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

    static let key = FlagKeyPath(components: ["history"])
}
