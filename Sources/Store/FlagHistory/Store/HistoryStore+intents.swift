import Foundation
import GRDB

extension HistoryStore {
    /// Returns the intents neither finished nor abandoned, oldest first; at start-up, a crash left them.
    package func openIntents() throws(HistoryStoreError) -> [ChangeIntent] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM intent ORDER BY id").map { try intent($0, db) }
        }
    }

    static func insert(_ intent: ChangeIntent, _ db: Database) throws -> ChangeIntent.ID {
        try db.cachedStatement(sql: "INSERT INTO intent (events, answers, at) VALUES (?, ?, ?)").execute(arguments: [
            json(intent.events.map(StoredEvent.init)), json(intent.answers), HistoryTime.microseconds(intent.at),
        ])
        let id = db.lastInsertedRowID
        for file in intent.files {
            try db.cachedStatement(
                sql: """
                    INSERT INTO intent_file (intent, role, path, temporary_name, hash_before, hash_after, edit)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id, file.role.rawValue, file.path, file.temporaryName, file.hashBefore, file.hashAfter,
                file.edit?.encoded,
            ])
        }
        return id
    }

    struct Completion {
        let files: [ChangeIntent.File]
        let answers: [RequestAnswer]
    }

    /// Leaves the events unread: only a recovery needs them.
    static func remove(_ id: ChangeIntent.ID, _ db: Database) throws -> Completion {
        let open = try db.cachedStatement(sql: "SELECT answers FROM intent WHERE id = ?")
        guard let row = try Row.fetchOne(open, arguments: [id]) else {
            throw HistoryStoreError(.unknownIntent(id))
        }
        let completion = Completion(files: try files(of: id, db), answers: try decoded("answers", of: row))
        try db.cachedStatement(sql: "DELETE FROM intent WHERE id = ?").execute(arguments: [id])
        return completion
    }

    private func intent(_ row: Row, _ db: Database) throws -> ChangeIntent {
        let id: ChangeIntent.ID = try row.sound("id")
        let stored: [StoredEvent] = try Self.decoded("events", of: row)
        var intent = ChangeIntent(
            files: try Self.files(of: id, db), events: try stored.map { names.shown(try $0.event()) },
            answers: try Self.decoded("answers", of: row), at: HistoryTime.date(try row.sound("at")))
        intent.id = id
        return intent
    }

    private static func files(of id: ChangeIntent.ID, _ db: Database) throws -> [ChangeIntent.File] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM intent_file WHERE intent = ? ORDER BY rowid"), arguments: [id])
        return try rows.map(file)
    }

    private static func file(_ row: Row) throws -> ChangeIntent.File {
        guard let role = FileRole(rawValue: try row.sound("role")) else {
            throw HistoryStoreError(.corrupt("an intent has an invalid role"))
        }
        var edit: ContentEdit?
        if let bytes = Data.fromDatabaseValue(row["edit"]) {
            edit = ContentEdit(encoded: bytes)
            guard edit != nil else {
                throw HistoryStoreError(.corrupt("can't read the edit of an intent"))
            }
        }
        return ChangeIntent.File(
            role: role, path: try row.sound("path"), temporaryName: try row.sound("temporary_name"),
            hashBefore: try row.sound("hash_before"), hashAfter: try row.sound("hash_after"),
            edit: edit)
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private static func decoded<Value: Decodable>(_ name: String, of row: Row) throws -> Value {
        let text: String = try row.sound(name)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw HistoryStoreError(.corrupt("can't read the \(name) of an intent"))
        }
    }
}

/// Changes about to be installed together, into one or several files.
///
/// The intent is durable before any file changes, and removed together with adding the rows of its outcome. One found
/// at start-up shows a crash; all its files are decided together.
package struct ChangeIntent: Hashable, Sendable, Identifiable {
    /// Never reused.
    package typealias ID = Int64

    package struct File: Hashable, Sendable {
        package var role: FileRole
        package var path: String
        /// The temporary file with the new content, in the same folder.
        package var temporaryName: String
        package var hashBefore: Data
        package var hashAfter: Data
        /// The edit between the contents; `nil` keeps only the hash.
        package var edit: ContentEdit?

        package init(
            role: FileRole, path: String, temporaryName: String, hashBefore: Data, hashAfter: Data,
            edit: ContentEdit? = nil
        ) {
            self.role = role
            self.path = path
            self.temporaryName = temporaryName
            self.hashBefore = hashBefore
            self.hashAfter = hashAfter
            self.edit = edit
        }
    }

    /// The id from ``HistoryStore/begin(_:)``; 0 before.
    package internal(set) var id: ID = 0
    /// In the order of replacement.
    package var files: [File]
    package var events: [HistoryEvent]
    package var answers: [RequestAnswer]
    package var at: Date

    package init(files: [File], events: [HistoryEvent], answers: [RequestAnswer] = [], at: Date) {
        self.files = files
        self.events = events
        self.answers = answers
        self.at = at
    }
}

/// The answer to a request with an idempotency key, for its repetitions.
package struct RequestAnswer: Hashable, Codable, Sendable {
    /// The actor; two may use one key for different requests.
    package var actor: String
    package var idempotencyKey: String
    /// The SHA-256 of the request.
    package var request: Data
    /// For each change, the index of its event; `nil` if it changed nothing.
    package var events: [Int?]

    package init(actor: String, idempotencyKey: String, request: Data, events: [Int?]) {
        self.actor = actor
        self.idempotencyKey = idempotencyKey
        self.request = request
        self.events = events
    }
}

package struct KeptAnswer: Hashable, Sendable {
    package let request: Data
    /// The row of each change; `nil` if it changed nothing.
    package let records: [HistoryRecord?]
}
