import FeatureFlags
import Foundation
import GRDB
import Testing

@testable import FlagHistory

/// Nothing came after the first release yet, so the request's number is taken for a column that did.
@Suite("Columns that came after the first release")
struct LaterColumnTests {
    private let history: TemporaryHistory

    init() throws {
        history = try TemporaryHistory()
    }

    private func dropColumn() throws {
        let raw = try history.raw()
        try raw.write { try $0.execute(sql: "ALTER TABLE history DROP COLUMN request_id") }
        try raw.close()
    }

    private func field(_ value: DatabaseValue) -> Data {
        let bytes: Data
        switch value.storage {
        case .null, .double: return Data([0])
        case .int64(let number): bytes = withUnsafeBytes(of: number.bigEndian) { Data($0) }
        case .string(let text): bytes = Data(text.utf8)
        case .blob(let blob): bytes = blob
        }
        return Data([1]) + withUnsafeBytes(of: Int64(bytes.count).bigEndian) { Data($0) } + bytes
    }

    @Test(
        "One is hashed after all others, with its name before it, and not at all where it is null",
        arguments: [nil, "", "r-7"])
    func hash(_ request: String?) throws {
        var event = HistoryEvent.sample()
        event.requestID = request
        let (stored, start) = (try StoredEvent(event), Data(repeating: 0, count: 32))
        var bytes = Data([1]) + field(Int64(1).databaseValue)
        for column in HistoryColumn.ofEvent where column != .requestID { bytes += field(stored[column]) }
        bytes += field(start.databaseValue)
        if let request { bytes += field("request_id".databaseValue) + field(request.databaseValue) }
        let expected = ContentHash.sha256(bytes)
        #expect(stored.hash(id: 1, previousHash: start, later: [.requestID]) == expected)
        let store = try history.open()
        try store.append([event], head: nil)
        try store.pool.read { db in
            let statement = try db.makeStatement(sql: "SELECT \(HistoryColumn.selection(db)) FROM history")
            let rows = try Row.fetchCursor(statement)
            try #require(try rows.next() != nil)
            var check = RowCheck()
            #expect(check.hash(of: HashedColumns(statement), later: [.requestID]) == expected)
        }
    }

    @Test("A history that is only read may be older than one: it is null, and every row holds")
    func missing() throws {
        var event = HistoryEvent.sample()
        event.requestID = nil
        let store = try history.open()
        let records = try store.append([event, event, event], head: nil)
        store.close()
        try dropColumn()
        let content = try Data(contentsOf: history.url)
        let reading = try HistoryStore(reading: history.url)
        #expect(try reading.verify().isSound)
        #expect(try reading.page(HistoryQuery()).records == records.reversed())
        #expect(try reading.record(2, hiddenKeys: []) == records[1])
        #expect(try reading.lastChanges(of: [event.key], hiddenKeys: []).values.map(\.isAltered) == [false])
        #expect(try reading.replacedValues(after: 1, in: "flags.xml").map(\.isAltered) == [false])
        let steps = try reading.pageWithSteps(HistoryQuery(key: event.key), stepLimit: 10).steps.steps
        #expect(steps.map(\.isAltered) == [false, false, false])
        #expect(try Data(contentsOf: history.url) == content)
    }

    @Test("One is added to a table of altered rows too, whose other columns stay")
    func adding() throws {
        try history.putFirstRelease()
        try dropColumn()
        try history.tamperUnseen("UPDATE history SET origin = 'unknown' WHERE id = 3")
        let before = try history.rowsAsStored()
        let raw = try history.raw()
        try raw.write { try HistoryStore.add(.requestID, $0) }
        let columns = try raw.read { db in
            try String.fetchAll(db, sql: "SELECT name || ' ' || type FROM pragma_table_info('history')")
        }
        try raw.close()
        #expect(columns.count == 20 && columns.last == "request_id TEXT")
        let after = try history.rowsAsStored()
        #expect(after.allSatisfy { $0.hasSuffix(" request_id:NULL]") })
        #expect(after.map { $0.replacing(" request_id:NULL]", with: "]") } == before)
    }
}
