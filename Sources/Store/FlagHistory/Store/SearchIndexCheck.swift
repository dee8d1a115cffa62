import FeatureFlags
import Foundation
import GRDB
import GRDBSQLite

/// Compares the search index and the hours with the rows.
///
/// One row and one word are in memory at a time. The words are compared by a checksum, as in SQLite's own check, which
/// would need write access.
struct SearchIndexCheck {
    private let db: Database
    private let decoded: DecodedTexts<FlagValue>
    /// Random, so that no index can be forged to fit.
    private let seed = UInt64.random(in: .min ... .max)

    /// Returns a fault as a clause.
    static func fault(of path: String, _ decoded: DecodedTexts<FlagValue>) throws -> String? {
        // The pool's connections may not make the temporary table for the words.
        var configuration = Configuration()
        configuration.label = "flagboard.history.index"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: try HistoryStore.nameForReading(path), configuration: configuration)
        do {
            return try queue.inDatabase { db in
                try db.execute(sql: "CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, history_search, instance)")
                var fault: String?
                try db.inTransaction(.deferred) {
                    fault = try SearchIndexCheck(db: db, decoded: decoded).fault()
                    return .commit
                }
                return fault
            }
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode) {
            return "can't read its search index: \(error.message ?? "\(error.resultCode)")"
        }
    }

    private init(db: Database, decoded: DecodedTexts<FlagValue>) {
        (self.db, self.decoded) = (db, decoded)
    }

    private func fault() throws -> String? {
        var words: UInt64 = 0
        if let fault = try textFault(&words) { return fault }
        if let extra = try Int64.fetchOne(db, sql: Self.extraTexts) {
            return "its search index has row \(extra), which is not in the history"
        }
        if try hoursDiffer() { return "its index of hours doesn't match its rows" }
        return try words == sumOfIndex() ? nil : "its search index doesn't match its rows"
    }

    private static let texts = """
        SELECT h.id, h."key", h.actor, h.reason, h."before", h."after", t.id, t.c0, t.c1, t.c2, t.c3, t.c4
        FROM history AS h LEFT JOIN history_search_content AS t ON t.id = h.id ORDER BY h.id
        """

    private static let extraTexts = """
        SELECT t.id FROM history_search_content AS t
        WHERE NOT EXISTS (SELECT 1 FROM history AS h WHERE h.id = t.id) ORDER BY t.id LIMIT 1
        """

    private func textFault(_ words: inout UInt64) throws -> String? {
        let rows = try Row.fetchCursor(db, sql: Self.texts)
        while let row = try rows.next() {
            let id: Int64 = row[0]
            guard row[6] as DatabaseValue != .null else { return "its search index lacks row \(id)" }
            for column in 1...5 {
                let text = try folded(row[column], column, of: id)
                guard String.fromDatabaseValue(row[column + 6]) == text else {
                    return "its search index doesn't match the text of row \(id)"
                }
                if let text { words &+= sum(of: text, in: id) }
            }
        }
        return nil
    }

    private func folded(_ column: DatabaseValue, _ place: Int, of id: Int64) throws -> String? {
        guard place > 3 else { return String.fromDatabaseValue(column).map { SearchText.folded($0) } }
        let name = place == 4 ? "before" : "after"
        return try decoded.value(of: column, name, in: "row \(id)").map { SearchText.folded($0) }
    }

    /// Returns the checksum of the trigrams that FTS5's tokenizer makes.
    private func sum(of text: String, in id: Int64) -> UInt64 {
        var (text, sum) = (text, UInt64(0))
        text.withUTF8 { bytes in
            // The starts of the last three characters.
            var starts = (0, 0, 0)
            var count = 0
            for place in bytes.indices where bytes[place] & 0xC0 != 0x80 {
                if count > 2 { sum &+= hash(UnsafeBufferPointer(rebasing: bytes[starts.0..<place]), id) }
                starts = (starts.1, starts.2, place)
                count += 1
            }
            if count > 2 { sum &+= hash(UnsafeBufferPointer(rebasing: bytes[starts.0...]), id) }
        }
        return sum
    }

    private func hash(_ word: some Sequence<UInt8>, _ id: Int64) -> UInt64 {
        var hash = seed ^ (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15)
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ (hash >> 29)
    }

    private func sumOfIndex() throws -> UInt64 {
        let statement = try db.makeStatement(sql: "SELECT term, doc FROM temp.word")
        let rows = try Row.fetchCursor(statement)
        let pointer = statement.sqliteStatement
        var sum: UInt64 = 0
        while try rows.next() != nil {
            let word = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(pointer, 0), count: Int(sqlite3_column_bytes(pointer, 0)))
            sum &+= hash(word, sqlite3_column_int64(pointer, 1))
        }
        return sum
    }

    /// An hour may begin before its rows if its oldest were pruned.
    private func hoursDiffer() throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT count(*) <> (SELECT count(*) FROM history_hour)
                    OR coalesce(sum(h.last IS NOT r.last OR h.first > r.first), 0) > 0
                FROM (SELECT at / 3600000000 AS hour, min(id) AS first, max(id) AS last FROM history GROUP BY 1) AS r
                LEFT JOIN history_hour AS h ON h.hour = r.hour
                """) ?? true
    }
}
