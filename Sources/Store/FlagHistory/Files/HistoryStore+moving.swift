import Foundation
import GRDB

/// A file that a path which was given leads to no longer, and the one that it leads to now.
public struct HeadMove: Hashable, Sendable {
    /// What the file is for.
    public let role: FileRole
    /// Where it was.
    public let from: String
    /// Where it is.
    public let to: String

    /// Names both places.
    public init(role: FileRole, from: String, to: String) {
        (self.role, self.from, self.to) = (role, from, to)
    }
}

extension HistoryStore {
    /// Has files be known by other paths, with what they held at the old ones: what the new files hold otherwise is then an edit.
    ///
    /// What was known of the new paths is forgotten, where anything is known of the old ones.
    ///
    /// - Parameters:
    ///   - moves: The files; two may change places.
    ///   - patience: How long to wait for another process that writes; `nil` for what the history was opened with.
    /// - Throws: Why nothing was moved.
    public func moveHeads(_ moves: [HeadMove], patience: Duration? = nil) throws(HistoryStoreError) {
        guard !moves.isEmpty else { return }
        try write(patience: patience) { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            let known = try moves.filter { move in
                try Self.headHash(move.role, move.from, db) != nil
            }
            // Paths are absolute, so that what is on its way meets nothing else.
            func transit(_ move: HeadMove) -> String { "moving " + move.from }
            for move in known { try Self.rename(move.role, move.from, to: transit(move), db) }
            for move in known {
                for table in Self.headTables.reversed() {
                    try db.execute(
                        sql: "DELETE FROM \(table) WHERE role = ? AND path = ?",
                        arguments: [move.role.rawValue, move.to])
                }
                try Self.rename(move.role, transit(move), to: move.to, db)
            }
        }
    }

    private static let headTables = ["head", "head_content", "head_edit"]

    private static func rename(_ role: FileRole, _ path: String, to other: String, _ db: Database) throws {
        for table in headTables {
            try db.execute(
                sql: "UPDATE \(table) SET path = ? WHERE role = ? AND path = ?",
                arguments: [other, role.rawValue, path])
        }
    }
}
