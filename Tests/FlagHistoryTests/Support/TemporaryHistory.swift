import FlagHistory
import Foundation
import GRDB

/// A folder of its own for one test's history, removed with it.
final class TemporaryHistory: Sendable {
    let folder: URL
    let url: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "flaghistory-\(UUID().uuidString)")
        url = folder.appending(path: "flags.history.sqlite")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func open() throws -> HistoryStore {
        try HistoryStore(url: url)
    }

    /// A connection that knows nothing of the store.
    func raw() throws -> DatabaseQueue {
        try DatabaseQueue(path: url.path)
    }

    /// Changes the file behind the store's back, with the guards out of the way.
    func tamper(_ sql: String) throws {
        try raw().write { db in
            for trigger in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
                try db.execute(sql: "DROP TRIGGER \(trigger)")
            }
            try db.execute(sql: sql)
        }
    }

    /// Does the same, and puts the guards back afterwards, so that only what was changed tells of it.
    func tamperUnseen(_ sql: String) throws {
        try raw().write { db in
            let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger[0] as String)") }
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
            for trigger in triggers { try db.execute(sql: trigger[1]) }
        }
    }
}
