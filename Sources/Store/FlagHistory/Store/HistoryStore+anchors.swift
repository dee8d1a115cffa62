import DurableFiles
import Foundation
import GRDB

extension HistoryStore {
    /// Returns the prunings, oldest first.
    package func anchors() throws(HistoryStoreError) -> [HistoryAnchor] {
        try read(Self.anchors)
    }

    /// Returns the pruning that removed a row; `nil` if none did.
    package func anchor(ofRow id: Int64) throws(HistoryStoreError) -> HistoryAnchor? {
        try read { db in
            let columns = SQL(sql: HistoryAnchor.columns)
            return try SQLRequest<Row>(
                literal: "SELECT \(columns) FROM anchor WHERE \(id) BETWEEN first AND last", cached: true
            ).fetchOne(db).map(HistoryAnchor.init)
        }
    }

    static func anchors(_ db: Database) throws -> [HistoryAnchor] {
        try Row.fetchAll(db, sql: "SELECT \(HistoryAnchor.columns) FROM anchor ORDER BY last").map(HistoryAnchor.init)
    }

    static func lastAnchor(_ db: Database) throws -> HistoryAnchor? {
        let newest = "SELECT \(HistoryAnchor.columns) FROM anchor ORDER BY last DESC LIMIT 1"
        return try Row.fetchOne(db.cachedStatement(sql: newest)).map(HistoryAnchor.init)
    }
}

extension HistoryStore {
    /// Returns `nil` if its row is missing.
    static func signingKey(_ db: Database) throws -> SigningKey.PublicKey? {
        try Data.fetchOne(db, sql: "SELECT public_key FROM signing_key WHERE id = 1").map {
            SigningKey.PublicKey(bytes: $0)
        }
    }

    /// Returns a row's hash, also of the last pruned one; zeros for row 0, `nil` if missing.
    static func hash(ofRow id: Int64, _ db: Database) throws -> Data? {
        if id == 0 { return ChainHead.empty.hash }
        return try Data.fetchOne(
            db.cachedStatement(
                sql: "SELECT hash FROM history WHERE id = ? UNION ALL SELECT hash FROM anchor WHERE last = ?"),
            arguments: [id, id])
    }

    /// Returns the SHA-256 of `flagboard heads 1` and each file's role, path and hash, ordered, as ``SignedBytes``.
    static func headsDigest(_ db: Database) throws -> Data {
        var bytes = SignedBytes("flagboard heads 1")
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT CAST(role AS BLOB), CAST(path AS BLOB), hash FROM head ORDER BY 1, 2"))
        while let row = try rows.next() {
            for column in 0..<3 { bytes.add(row[column] as Data?) }
        }
        return ContentHash.sha256(bytes.data)
    }

    /// Makes the key, its row, and the first checkpoint.
    ///
    /// A retry after a crash reuses the files. Existing checkpoints stay: they may belong to a lost history.
    static func beginSigning(_ companions: SigningFiles, _ db: Database) throws {
        let key = try SigningKey.findOrCreate(companions.key)
        try db.execute(
            sql: "INSERT INTO signing_key (id, public_key) VALUES (1, ?)", arguments: [key.publicKey.bytes])
        _ = try AtomicFile.makePrivate(companions.checkpoints, with: try checkpoints(key, .open, db))
    }

    static func checkpoints(_ key: SigningKey, _ state: Checkpoint.State, _ db: Database) throws -> Data {
        let at = HistoryTime.microseconds(Date())
        var content = try Checkpoint(state, chainHead(db), at: at, heads: headsDigest(db), with: key).line()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, hash FROM history WHERE id % ? = 0 ORDER BY id", arguments: [CheckpointFile.interval])
        while let row = try rows.next() {
            guard let hash = Data.fromDatabaseValue(row[1]) else { continue }
            let head = ChainHead(id: row[0], hash: hash)
            content.append(try Checkpoint(.kept, head, at: at, heads: nil, with: key).line())
        }
        return content
    }
}
