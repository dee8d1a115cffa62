import DurableFiles
import FeatureFlags
import Foundation
import GRDB

package enum PruningExtent: Hashable, Sendable {
    /// Rows before the first one at this time or later.
    case before(Date)
    /// All but this many of the newest rows.
    case keepingRows(Int)
}

package struct PrunableRows: Hashable, Sendable {
    /// Rows kept because a repeated request may still name them.
    package struct HeldBack: Hashable, Sendable {
        package let count: Int
        /// The time from which they can be pruned.
        package let until: Date
    }

    /// The last row to prune; `nil` for none.
    package let last: Int64?
    package let heldBack: HeldBack?
}

extension HistoryStore {
    /// Points at which tests interrupt a pruning.
    enum PruningStep: CaseIterable {
        case archived, unguarded, removed, committing, committed
    }

    /// The seconds for which an idempotency key is remembered and its row is not pruned.
    package static let idempotencyWindow: TimeInterval = 86_400

    /// Returns the rows to prune: whole batches, without idempotency keys that may come again.
    package func prunable(_ extent: PruningExtent, now: Date) throws(HistoryStoreError) -> PrunableRows {
        try read { db in try Self.prunable(extent, now: now, db) }
    }

    private static func prunable(_ extent: PruningExtent, now: Date, _ db: Database) throws -> PrunableRows {
        let newest = try chainHead(db).id
        func id(_ query: SQL) throws -> Int64? { try SQLRequest<Int64>(literal: query).fetchOne(db) }
        var last: Int64
        switch extent {
        case .before(let date):
            let kept = try id(
                "SELECT id FROM history WHERE at >= \(HistoryTime.microseconds(date)) ORDER BY id LIMIT 1")
            last = (kept ?? newest &+ 1) &- 1
        case .keepingRows(let count): last = newest &- Int64(max(count, 0))
        }
        last = try wholeBatches(upTo: last, db)
        let asked = last
        let young = HistoryTime.microseconds(now.addingTimeInterval(-idempotencyWindow))
        let named = SQL("FROM history WHERE idempotency_key IS NOT NULL AND at >= \(young) AND id <= \(asked)")
        if let kept = try id("SELECT min(id) \(named)") {
            last = try wholeBatches(upTo: kept &- 1, db)
        }
        guard let first = try id("SELECT min(id) FROM history"), asked >= first else {
            return PrunableRows(last: nil, heldBack: nil)
        }
        var heldBack: PrunableRows.HeldBack?
        if last < asked, let newest = try id("SELECT max(at) \(named)") {
            heldBack = PrunableRows.HeldBack(
                count: Int(asked &- max(last, first &- 1)),
                until: HistoryTime.date(newest).addingTimeInterval(idempotencyWindow))
        }
        return PrunableRows(last: last >= first ? last : nil, heldBack: heldBack)
    }

    /// Returns the last row at or before `last` that ends a batch.
    private static func wholeBatches(upTo last: Int64, _ db: Database) throws -> Int64 {
        let start = try Int64.fetchOne(
            db, sql: "SELECT min(id) FROM history WHERE batch = (SELECT batch FROM history WHERE id = ?)",
            arguments: [last &+ 1])
        return start.map { min(last, $0 &- 1) } ?? last
    }

    /// Moves the oldest rows into a signed archive and continues the chain from an anchor.
    ///
    /// The archive is durable and verified before one transaction adds a row about the pruning, inserts the anchor, and
    /// removes the rows. No other process may write meanwhile.
    ///
    /// `archive` is `nil` for a file beside the history. The event's `reason` is completed. If only the final vacuum
    /// throws, the rows are already removed.
    package func prune(
        upTo last: Int64, archive: URL? = nil, recording event: HistoryEvent
    ) throws(HistoryStoreError) -> HistoryAnchor {
        try prune(upTo: last, archive: archive, recording: event) { _ in }
    }

    func prune(
        upTo last: Int64, archive: URL?, recording event: HistoryEvent, step: (PruningStep) throws -> Void
    ) throws(HistoryStoreError) -> HistoryAnchor {
        try checkPrunable()
        let companions = SigningFiles(of: url)
        do {
            guard let key = try SigningKey.read(companions.key) else {
                throw HistoryStoreError(
                    .refused("its signing key is missing; put it back, or run flagboard history accept"))
            }
            let first = try pool.read { try Int64.fetchOne($0, sql: "SELECT min(id) FROM history") ?? 1 }
            guard last >= first else {
                throw HistoryStoreError(.refused("the rows up to \(last) have already been pruned"))
            }
            let file =
                archive
                ?? url.deletingLastPathComponent().appending(
                    path: HistoryArchive.name(companions, first: first, last: last))
            let written = try HistoryArchive.write(upTo: last, to: file, with: key, from: pool)
            try step(.archived)
            let anchor = try HistoryAnchor(
                first: written.first, last: written.last, archive: file.lastPathComponent,
                archiveHash: written.fileHash, at: HistoryTime.date(HistoryTime.microseconds(event.at)),
                actor: StoredEvent.storable(event.actor), with: key)
            try write { db in
                try Self.move(anchor, event, step, db)
                try step(.committing)
            }
            try step(.committed)
            // Clears the rows' remains from unused pages. A failure puts no row at risk.
            try pool.vacuum()
            return anchor
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Removes temporary files that an interrupted process left.
    ///
    /// No other process may use the history meanwhile. `archive` is one that is not beside the history.
    package func removeTemporaries(of archive: URL? = nil) throws(HistoryStoreError) {
        let companions = SigningFiles(of: url)
        let own = [companions.key, companions.checkpoints].map(\.lastPathComponent)
        do {
            try AtomicFile.removeTemporaries(in: url.deletingLastPathComponent()) { name in
                own.contains(String(name)) || HistoryArchive.isName(FileDraft.name(ofTemporary: name), companions)
            }
            if let archive {
                try AtomicFile.removeTemporaries(in: archive.deletingLastPathComponent()) { name in
                    String(FileDraft.name(ofTemporary: name)) == archive.lastPathComponent
                }
            }
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    private func checkPrunable() throws(HistoryStoreError) {
        if let problem = signingProblem { throw .refusal("can't sign an archive: \(problem)", path: path) }
        switch try verify() {
        case .sound: break
        case .broken(_, let reason), .unproven(let reason), .wrongIndex(_, let reason), .wrongArchive(let reason):
            throw .refusal(
                "only an intact history can be pruned: \(reason); run flagboard history verify for details", path: path)
        }
        if let file = try openIntents().first?.files.first {
            throw .refusal(
                "a change to \(file.path) was interrupted; run flagboard serve first to complete or undo it", path: path
            )
        }
    }

    private static func move(
        _ anchor: HistoryAnchor, _ event: HistoryEvent, _ step: (PruningStep) throws -> Void, _ db: Database
    ) throws {
        var event = event
        let told =
            "Rows \(anchor.first) to \(anchor.last) were moved to \(anchor.archive), SHA-256 \(anchor.archiveHash.hexadecimal)"
        event.reason = event.reason.isEmpty ? "[\(told)]" : "\(event.reason) [\(told)]"
        _ = try append([event], db)
        try anchor.insert(db)
        try withoutGuards(db) {
            try step(.unguarded)
            try db.execute(sql: "DELETE FROM history WHERE id <= ?", arguments: [anchor.last])
            try db.execute(sql: "DELETE FROM history_search WHERE rowid <= ?", arguments: [anchor.last])
            try forgetHours(upTo: anchor.last, db)
            // An answer that names a missing row would look like damage.
            try db.execute(
                sql: "DELETE FROM answer WHERE EXISTS (SELECT 1 FROM json_each(answer.rows) WHERE value <= ?)",
                arguments: [anchor.last])
            try step(.removed)
        }
    }

    /// Removes pruned rows from the hours, once they are deleted.
    private static func forgetHours(upTo last: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM history_hour WHERE last <= ?", arguments: [last])
        try db.execute(
            sql: "UPDATE history_hour SET first = ? WHERE first <= ?", arguments: [last + 1, last])
    }
}
