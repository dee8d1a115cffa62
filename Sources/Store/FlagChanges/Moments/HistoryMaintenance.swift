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
    package init(_ files: FlagFiles, by author: ChangeAuthor, log: @escaping @Sendable (String) -> Void) throws {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        self.files = files
        self.author = author
        lock = try ChangeServiceStartError.unlessLocked { () throws(FileAccessError) in
            try ProcessLock(of: files.history)
        }
        history = try HistoryStore(url: files.history, report: log)
    }

    /// Moves the oldest rows into a signed archive.
    ///
    /// `archive` is a new file, not one of Flagboard's own; `nil` for one beside the history. Returns the pruned part,
    /// and the requested rows that stay. If it throws, no row was removed.
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
    /// Returns the accepted differences as a clause; `nil` for none. If it throws, nothing was changed.
    package func accept(reason: String, now: Date) throws(HistoryStoreError) -> String? {
        defer { history.close() }
        return try history.accept(recording: event(.accept, reason, now))
    }

    /// Rebuilds the search index and returns the number of rows.
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
            "\(archive.path(percentEncoded: false)) is \(use.name); choose another file with --archive", path: path)
    }

    private func event(_ kind: HistoryRecord.Kind, _ reason: String, _ now: Date) -> HistoryEvent {
        HistoryEvent(kind, by: author, at: now, key: Self.key, reason: reason)
    }

    static let key = FlagKeyPath(components: ["history"])
}
