import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@Suite("Intents and heads")
struct IntentTests {
    @Test("An intent is there after the file was opened again, with everything in it")
    func durable() throws {
        let history = try TemporaryHistory()
        let intent = ChangeIntent.sample(events: [
            .sample(before: nil, after: .double(.nan), reason: "\"x\""), .sample(key: "a~1b"),
        ])
        let id = try history.open().begin(intent)
        let open = try history.open().openIntents()
        #expect(open.map(\.id) == [id])
        #expect(open.first?.events == intent.events)
        #expect(open.first?.files == intent.files)
        #expect(open.first?.at == intent.at)
    }

    @Test("Finishing adds the rows, removes the intent and moves the head")
    func finish() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.setHead(.old)
        let intent = ChangeIntent.sample()
        let id = try store.begin(intent)
        #expect(try store.head(of: .values, at: FileHead.old.path) == .old)
        #expect(try store.page(HistoryQuery()).total == 0)
        let records = try store.finish(id, appending: intent.events)
        #expect(records.map(\.event) == intent.events)
        #expect(try store.openIntents().isEmpty)
        #expect(try store.head(of: .values, at: FileHead.old.path) == .new)
        #expect(try store.head(of: .manifest, at: FileHead.old.path) == nil)
    }

    @Test("The heads of files are told apart by role and by path, and a hash is read without its content")
    func heads() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        var other = FileHead.new
        other.path = "/srv/other.xml"
        var manifest = FileHead.new
        manifest.role = .manifest
        for head in [FileHead.old, other, manifest] { try store.setHead(head) }
        #expect(try store.head(of: .values, at: FileHead.old.path) == .old)
        #expect(try store.head(of: .values, at: other.path) == other)
        #expect(try store.head(of: .manifest, at: manifest.path) == manifest)
        #expect(try store.headHash(of: .values, at: FileHead.old.path) == FileHead.old.hash)
        #expect(try store.headHash(of: .manifest, at: other.path) == nil)
    }

    @Test("Without an edit the head keeps the hash alone, rather than the content of before")
    func finishWithoutContent() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.setHead(.old)
        try store.finish(try store.begin(.sample(edit: nil)), appending: [])
        #expect(
            try store.head(of: .values, at: FileHead.old.path)
                == FileHead(role: .values, path: FileHead.new.path, hash: FileHead.new.hash))
    }

    @Test("Abandoning adds the rows, removes the intent and leaves the head")
    func abandon() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.setHead(.old)
        let records = try store.abandon(try store.begin(.sample()), appending: [.sample(kind: .aborted)])
        #expect(records.map(\.event.kind) == [.aborted])
        #expect(try store.openIntents().isEmpty)
        #expect(try store.head(of: .values, at: FileHead.old.path) == .old)
    }

    @Test("An intent of several files keeps their order, and finishing it moves all of their heads")
    func severalFiles() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        var intent = ChangeIntent.sample()
        var manifest = intent.files[0]
        manifest.role = .manifest
        var other = intent.files[0]
        other.path = "/srv/another.xml"
        intent.files = [manifest, intent.files[0], other]
        let id = try store.begin(intent)
        #expect(try history.open().openIntents().first?.files == intent.files)
        try store.finish(id, appending: intent.events)
        for file in intent.files {
            #expect(try store.headHash(of: file.role, at: file.path) == FileHead.new.hash)
        }
        #expect(try history.raw().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM intent_file") } == 0)
    }

    @Test("Finishing is all or none")
    func atomic() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.setHead(.old)
        let id = try store.begin(.sample())
        var bad = HistoryEvent.sample()
        bad.fileHashBefore = Data([1])
        #expect(throws: HistoryStoreError.self) { try store.finish(id, appending: [.sample(), bad]) }
        #expect(try store.openIntents().map(\.id) == [id])
        #expect(try store.head(of: .values, at: FileHead.old.path) == .old)
        #expect(try store.page(HistoryQuery()).total == 0)
        #expect(try store.finish(id, appending: [.sample()]).map(\.id) == [1])
    }

    @Test("An intent is finished once, and its id is never given again")
    func once() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let first = try store.begin(.sample())
        try store.finish(first, appending: [])
        #expect(try store.begin(.sample()) != first)
        let error = #expect(throws: HistoryStoreError.self) { try store.finish(first, appending: [.sample()]) }
        #expect(error?.description.contains("no open intent") == true)
        #expect(throws: HistoryStoreError.self) { try store.abandon(first, appending: [.sample()]) }
        #expect(try store.page(HistoryQuery()).total == 0)
    }

    @Test("Appending moves the head of the file that is named, in the same transaction")
    func appendWithHead() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample(kind: .external)], head: .old)
        try store.append([.sample(kind: .denied)], head: nil)
        #expect(try store.head(of: .values, at: FileHead.old.path) == .old)
        try store.append([], head: .new)
        #expect(try history.open().head(of: .values, at: FileHead.old.path) == .new)
    }
}
