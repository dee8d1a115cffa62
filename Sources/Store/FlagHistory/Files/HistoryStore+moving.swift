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

extension HistoryStore {
    /// The most bytes that are hashed on the way back to the content before an edit.
    private static let furthestWayBack = 64 << 20

    /// What takes back one edit of a file, whatever was edited elsewhere in it since.
    ///
    ///     let splices = try history.splices(takingBackEditOf: row.fileHashBefore, of: .values, at: path, in: content)
    ///
    /// - Parameters:
    ///   - hashBefore: The hash of the content that the edit was made in, 32 bytes.
    ///   - role: What the file is for.
    ///   - path: Where it is.
    ///   - content: What the file holds now.
    /// - Returns: The bytes to put back, in the order of their places in `content`, none of which reaches into another; `nil`
    ///   where the history does not keep the edit any more, where it knows another content, or where a later edit reached into
    ///   the same bytes.
    /// - Throws: Why the history can't be read.
    public func splices(
        takingBackEditOf hashBefore: Data, of role: FileRole, at path: String, in content: Data
    ) throws(HistoryStoreError) -> [ContentEdit.Splice]? {
        let edits = try read { db -> [ContentEdit]? in
            guard try Self.headHash(role, path, db) == ContentHash.sha256(content) else { return nil }
            return try Self.edits(since: hashBefore, role, path, to: content, db)
        }
        guard let edits, let edit = edits.first else { return nil }
        return edit.splices(takingItBackAfter: edits.dropFirst())
    }

    /// The edits that led from one content to another; `nil` where they are not kept.
    private static func edits(
        since hashBefore: Data, _ role: FileRole, _ path: String, to content: Data, _ db: Database
    ) throws -> [ContentEdit]? {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT edit FROM head_edit WHERE role = ? AND path = ? ORDER BY number DESC",
            arguments: [role.rawValue, path])
        var (edits, content, hashed): ([ContentEdit], Data, Int) = ([], content, 0)
        while hashed <= furthestWayBack, let row = try rows.next() {
            let bytes: Data = try row.sound("edit", of: "the head of \(path)")
            guard let edit = ContentEdit(encoded: bytes), let before = edit.undone(in: content) else { return nil }
            edits.insert(edit, at: 0)
            if ContentHash.sha256(before) == hashBefore { return edits }
            content = before
            hashed += before.count
        }
        return nil
    }
}

extension ContentEdit {
    /// The splices that take this edit back once others were made after it; `nil` where one of these reached into the same bytes.
    fileprivate func splices(takingItBackAfter others: some Sequence<ContentEdit>) -> [Splice]? {
        let later = others.flatMap(\.splices)
        var back: [Splice] = []
        for (index, splice) in splices.enumerated() {
            var start = splice.start
            for next in splices[(index + 1)...] + later {
                let end = start + splice.new.count
                if next.start + next.old.count <= start {
                    start += next.new.count - next.old.count
                } else if next.start < end {
                    return nil
                }
            }
            back.append(Splice(start: start, old: splice.new, new: splice.old))
        }
        back.sort { $0.start < $1.start }
        let areApart = zip(back, back.dropFirst()).allSatisfy { $0.start + $0.old.count <= $1.start }
        return areApart ? back : nil
    }
}
