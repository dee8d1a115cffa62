import Foundation
import GRDB

/// A file whose configured path now resolves elsewhere.
package struct HeadMove: Hashable, Sendable {
    package let role: FileRole
    package let from: String
    package let to: String

    package init(role: FileRole, from: String, to: String) {
        (self.role, self.from, self.to) = (role, from, to)
    }
}

extension HistoryStore {
    /// Moves heads, so that different content at the new paths counts as an edit.
    ///
    /// Known heads replace those at their new paths; two files may swap places.
    package func moveHeads(_ moves: [HeadMove], patience: Duration? = nil) throws(HistoryStoreError) {
        guard !moves.isEmpty else { return }
        try write(patience: patience) { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            let known = try moves.filter { move in
                try Self.headHash(move.role, move.from, db) != nil
            }
            // Known paths are absolute, so this can't collide.
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
    /// The most bytes hashed to find the content before an edit.
    private static let furthestWayBack = 64 << 20

    /// Returns the splices that undo one edit, whatever was edited elsewhere since.
    ///
    /// In order, without overlaps. `nil` if the edit is no longer kept, `content` is unknown, or a later edit changed
    /// the same bytes.
    package func splices(
        takingBackEditOf hashBefore: Data, of role: FileRole, at path: String, in content: Data
    ) throws(HistoryStoreError) -> [ContentEdit.Splice]? {
        let edits = try read { db -> [ContentEdit]? in
            guard try Self.headHash(role, path, db) == ContentHash.sha256(content) else { return nil }
            return try Self.edits(since: hashBefore, role, path, to: content, db)
        }
        guard let edits, let edit = edits.first else { return nil }
        return edit.splices(takingItBackAfter: edits.dropFirst())
    }

    /// Returns `nil` if the edits are not kept.
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
    /// Returns `nil` if a later edit changed the same bytes.
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
