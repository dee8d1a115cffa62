import Foundation
import GRDB

extension HistoryStore {
    /// What a file held when the history last knew it.
    ///
    /// - Parameters:
    ///   - role: What the file is for.
    ///   - path: Where it is.
    /// - Returns: `nil` where the history never knew the file.
    /// - Throws: Why it can't be read.
    public func head(of role: FileRole, at path: String) throws(HistoryStoreError) -> FileHead? {
        try read { db in
            try Self.row("hash, content", role, path, db).map { row in
                FileHead(
                    role: role, path: path, hash: try row.sound("hash", of: "the head of \(path)"),
                    content: Data.fromDatabaseValue(row["content"]))
            }
        }
    }

    /// The hash of what a file held when the history last knew it, without reading the content.
    ///
    /// - Parameters:
    ///   - role: What the file is for.
    ///   - path: Where it is.
    /// - Returns: 32 bytes, or `nil` where the history never knew the file.
    /// - Throws: Why it can't be read.
    public func headHash(of role: FileRole, at path: String) throws(HistoryStoreError) -> Data? {
        try read { db in try Self.row("hash", role, path, db).map { try $0.sound("hash", of: "the head of \(path)") } }
    }

    /// Keeps what a file holds, without a row: for the first look at a file.
    ///
    /// - Parameters:
    ///   - head: The file and its content.
    ///   - patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    /// - Throws: Why it could not be kept.
    public func setHead(_ head: FileHead, patience: Duration? = nil) throws(HistoryStoreError) {
        try write(patience: patience) { db in try Self.set(head, db) }
    }

    static func set(_ head: FileHead, _ db: Database) throws {
        try db.execute(
            literal: """
                INSERT INTO head (role, path, hash, content)
                VALUES (\(head.role.rawValue), \(head.path), \(head.hash), \(head.content))
                ON CONFLICT (role, path) DO UPDATE SET hash = excluded.hash, content = excluded.content
                """)
    }

    private static func row(_ columns: String, _ role: FileRole, _ path: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM head WHERE role = ? AND path = ?", arguments: [role.rawValue, path])
    }
}
