import Foundation
import GRDB

extension HistoryStore {
    /// Returns a file's last known content; `nil` for an unknown file.
    ///
    /// Throws if the content doesn't match its hash.
    package func head(of role: FileRole, at path: String) throws(HistoryStoreError) -> FileHead? {
        try read { db in
            try Self.headHash(role, path, db).map { hash in
                let content = try Self.keptContent(role, path, db)?.content(of: hash, path)
                return FileHead(role: role, path: path, hash: hash, content: content)
            }
        }
    }

    /// Returns the hash without reading the content; `nil` for an unknown file.
    package func headHash(of role: FileRole, at path: String) throws(HistoryStoreError) -> Data? {
        try readAtOnce { db in try Self.headHash(role, path, db) }
    }

    package func headHashes() throws(HistoryStoreError) -> FileHashes {
        try readAtOnce { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: "SELECT role, path, hash, (SELECT max(id) FROM history) FROM head"))
            var hashes = FileHashes()
            while let row = try rows.next() {
                hashes.lastRow = Int64.fromDatabaseValue(row[3]) ?? 0
                let path: String = try row.sound(row[1], "path", of: "a head")
                let role: String = try row.sound(row[0], "role", of: "the head of \(path)")
                hashes.add(try row.sound(row[2], "hash", of: "the head of \(path)"), role: role, path: path)
            }
            return hashes
        }
    }

    /// Stores the content of a new file, without a row.
    package func setHead(_ head: FileHead, patience: Duration? = nil) throws(HistoryStoreError) {
        try write(patience: patience) { db in try Self.set(head, db) }
    }

    static func headHash(_ role: FileRole, _ path: String, _ db: Database) throws -> Data? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT hash FROM head WHERE role = ? AND path = ?"),
            arguments: [role.rawValue, path]
        ).map { try $0.sound("hash", of: "the head of \(path)") }
    }

    static func set(_ head: FileHead, _ db: Database) throws {
        try setHash(head.hash, head.role, head.path, db)
        try db.execute(
            sql: "DELETE FROM head_content WHERE role = ? AND path = ?", arguments: [head.role.rawValue, head.path])
        guard let content = head.content else { return }
        try db.execute(
            sql: "INSERT INTO head_content (role, path, content) VALUES (?, ?, ?)",
            arguments: [head.role.rawValue, head.path, content])
    }

    private static func setHash(_ hash: Data, _ role: FileRole, _ path: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO head (role, path, hash) VALUES (?, ?, ?)
                ON CONFLICT (role, path) DO UPDATE SET hash = excluded.hash
                """
        ).execute(arguments: [role.rawValue, path, hash])
    }

    /// Advances a file's head by an intent's edit.
    ///
    /// The edit is kept, whatever its size, so that the newest change can be undone byte for byte. Once the edits
    /// before it outweigh the content, the oldest are merged into it. If the content before is unknown, only the hash
    /// is kept.
    static func advance(_ file: ChangeIntent.File, _ db: Database) throws {
        let hash = try headHash(file.role, file.path, db)
        guard let edit = file.edit, hash == file.hashBefore, let room = try roomForEdits(file.role, file.path, db)
        else { return try set(FileHead(role: file.role, path: file.path, hash: file.hashAfter), db) }
        var last = (number: room.edits, size: room.size)
        if room.isFull { last = try mergeOldest(file, room, db) }
        try setHash(file.hashAfter, file.role, file.path, db)
        try add(edit.encoded, after: &last, file, db)
    }

    /// Merges the oldest edits of the content before into it, and returns the number and size of those that stay.
    private static func mergeOldest(
        _ file: ChangeIntent.File, _ room: RoomForEdits, _ db: Database
    ) throws -> (number: Int, size: Int) {
        var last = (number: 0, size: 0)
        guard let kept = try keptContent(file.role, file.path, db) else { return last }
        let merged = try kept.merged(keeping: room, of: file.hashBefore, file.path)
        try set(FileHead(role: file.role, path: file.path, hash: file.hashBefore, content: merged.content), db)
        for edit in merged.edits { try add(edit, after: &last, file, db) }
        return last
    }

    private static func add(
        _ edit: Data, after last: inout (number: Int, size: Int), _ file: ChangeIntent.File, _ db: Database
    ) throws {
        last = (last.number + 1, last.size + edit.count)
        try db.cachedStatement(
            sql: "INSERT INTO head_edit (role, path, number, size, edit) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [file.role.rawValue, file.path, last.number, last.size, edit])
    }
}

extension HistoryStore {
    private struct RoomForEdits {
        /// Merging this many takes a few milliseconds.
        static let most = 1000
        /// The bytes allowed even for a small content.
        static let leastSize = 16_384

        let edits: Int
        let size: Int
        let contentSize: Int

        private var mostSize: Int { max(contentSize / 2, Self.leastSize) }

        var isFull: Bool { edits >= Self.most || size > mostSize }

        /// Returns the newest edits that take up half of the room, so that the next ones need no merging.
        func newest(of edits: [Data]) -> ArraySlice<Data> {
            var size = 0
            let count = edits.reversed().prefix(Self.most / 2).prefix { edit in
                size += edit.count
                return size <= mostSize / 2
            }.count
            return edits.suffix(count)
        }
    }

    /// Returns `nil` if no content is kept.
    private static func roomForEdits(_ role: FileRole, _ path: String, _ db: Database) throws -> RoomForEdits? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT length(c.content), e.number, e.size FROM head_content AS c LEFT JOIN head_edit AS e
                    ON e.role = c.role AND e.path = c.path WHERE c.role = ? AND c.path = ? ORDER BY e.number DESC LIMIT 1
                    """), arguments: [role.rawValue, path])
        guard let row else { return nil }
        return RoomForEdits(
            edits: Int.fromDatabaseValue(row[1]) ?? 0, size: Int.fromDatabaseValue(row[2]) ?? 0,
            contentSize: Int.fromDatabaseValue(row[0]) ?? 0)
    }

    private struct KeptContent {
        let content: Data
        var edits: [Data] = []
        /// `false` if an edit is missing or out of order.
        var isSound = true

        /// Merges the edits; throws if the result doesn't match the hash.
        func content(of hash: Data, _ path: String) throws -> Data {
            var pieces = SplicedContent(content)
            let fits = isSound && edits.allSatisfy { pieces.apply(encoded: $0) }
            let content = pieces.content
            guard fits, ContentHash.sha256(content) == hash else {
                throw HistoryStoreError(.corrupt("the record of \(path) was altered"))
            }
            return content
        }

        /// Merges all but the newest edits; throws if the content doesn't match the hash.
        func merged(keeping room: RoomForEdits, of hash: Data, _ path: String) throws -> KeptContent {
            _ = try content(of: hash, path)
            let newest = room.newest(of: edits)
            var pieces = SplicedContent(content)
            for edit in edits.dropLast(newest.count) where !pieces.apply(encoded: edit) {
                throw HistoryStoreError(.corrupt("the record of \(path) was altered"))
            }
            return KeptContent(content: pieces.content, edits: Array(newest))
        }
    }

    /// Returns `nil` if no content is kept.
    private static func keptContent(_ role: FileRole, _ path: String, _ db: Database) throws -> KeptContent? {
        let arguments: StatementArguments = [role.rawValue, path]
        let row = try Row.fetchOne(
            db, sql: "SELECT content FROM head_content WHERE role = ? AND path = ?", arguments: arguments)
        guard let row else { return nil }
        var kept = KeptContent(content: try row.sound("content", of: "the head of \(path)"))
        let edits = try Row.fetchCursor(
            db, sql: "SELECT number, size, edit FROM head_edit WHERE role = ? AND path = ? ORDER BY number",
            arguments: arguments)
        var size = 0
        while let row = try edits.next() {
            kept.edits.append(try row.sound("edit", of: "the head of \(path)"))
            size += kept.edits.last?.count ?? 0
            if Int.fromDatabaseValue(row[0]) != kept.edits.count || Int.fromDatabaseValue(row[1]) != size {
                kept.isSound = false
            }
        }
        return kept
    }

    /// Returns an inconsistency of the heads, as a clause.
    static func headsFault(_ db: Database) throws -> String? {
        let strangers = "SELECT role, path FROM head_content UNION SELECT role, path FROM head_edit"
        if try Row.fetchOne(db, sql: "\(strangers) EXCEPT SELECT role, path FROM head") != nil {
            return "the record of the files was altered"
        }
        for row in try Row.fetchAll(db, sql: "SELECT role, path FROM head") {
            guard let role = FileRole(rawValue: try row.sound("role")) else {
                return "a file has an invalid role"
            }
            let path: String = try row.sound("path")
            do {
                guard let hash = try headHash(role, path, db) else { continue }
                _ = try keptContent(role, path, db)?.content(of: hash, path)
            } catch let error as HistoryStoreError {
                return error.description
            }
        }
        return nil
    }
}
