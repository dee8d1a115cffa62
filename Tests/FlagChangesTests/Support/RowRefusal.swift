import Foundation
import GRDB

/// Has a history refuse rows for a while, or alters them.
enum RowRefusal {
    static func begin(in history: URL) throws {
        try execute("CREATE TRIGGER refuse BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'no rows'); END", history)
    }

    static func end(in history: URL) throws {
        try execute("DROP TRIGGER refuse", history)
    }

    /// Alters rows as another program may that opens the history.
    static func alterRows(of history: URL, _ sql: String) throws {
        try execute("DROP TRIGGER history_refuses_update", history)
        try execute(sql, history)
    }

    private static func execute(_ sql: String, _ history: URL) throws {
        let queue = try DatabaseQueue(path: history.path)
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
    }
}
