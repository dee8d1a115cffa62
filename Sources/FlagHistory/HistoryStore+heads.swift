import Foundation
import GRDB

extension HistoryStore {
    /// What a file held when the history last knew it.
    ///
    /// - Parameter file: Which file, by role: `values`, `manifest`, or the name of a provider.
    /// - Returns: `nil` where the history never knew the file.
    /// - Throws: Why it can't be read.
    public func head(of file: String) throws(HistoryStoreError) -> FileHead? {
        try read { db in
            guard
                let row = try Row.fetchOne(db, sql: "SELECT hash, content FROM head WHERE file = ?", arguments: [file])
            else { return nil }
            guard let hash = Data.fromDatabaseValue(row["hash"]) else {
                throw HistoryStoreError.Abort(.corrupt("the head of \(file) has no hash"))
            }
            return FileHead(file: file, hash: hash, content: Data.fromDatabaseValue(row["content"]))
        }
    }

    /// Keeps what a file holds, without a row: for the first look at a file.
    ///
    /// - Parameter head: The file and its content.
    /// - Throws: Why it could not be kept.
    public func setHead(_ head: FileHead) throws(HistoryStoreError) {
        try write { db in try Self.set(head, db) }
    }

    static func set(_ head: FileHead, _ db: Database) throws {
        try db.execute(
            literal: """
                INSERT INTO head (file, hash, content) VALUES (\(head.file), \(head.hash), \(head.content))
                ON CONFLICT (file) DO UPDATE SET hash = excluded.hash, content = excluded.content
                """)
    }
}
