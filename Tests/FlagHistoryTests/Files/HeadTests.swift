import FeatureFlags
import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("What the history keeps of files")
struct HeadTests {
    let history: TemporaryHistory
    let store: HistoryStore
    private static let path = "/srv/flags.xml"

    init() throws {
        history = try TemporaryHistory()
        store = try history.open()
    }

    private static func head(_ content: Data) -> FileHead {
        FileHead(role: .values, path: path, hash: ContentHash.sha256(content), content: content)
    }

    @Test("Files whose paths differ in how a letter is spelt alone are two files")
    func spelling() throws {
        let paths = ["/srv/caf\u{E9}/flags.xml", "/srv/cafe\u{301}/flags.xml"]
        for path in paths {
            let content = Data(path.utf8)
            try store.setHead(FileHead(role: .values, path: path, hash: ContentHash.sha256(content), content: content))
        }
        let hashes = try store.headHashes()
        for path in paths {
            #expect(hashes.hash(of: .values, at: path) == ContentHash.sha256(Data(path.utf8)))
            #expect(hashes.hash(of: .manifest, at: path) == nil)
        }
    }

    private func begin(_ before: Data, _ after: Data) throws -> ChangeIntent.ID {
        try store.begin(
            ChangeIntent(
                files: [
                    ChangeIntent.File(
                        role: .values, path: Self.path, temporaryName: ".flags.xml.1",
                        hashBefore: ContentHash.sha256(before), hashAfter: ContentHash.sha256(after),
                        edit: ContentEdit(from: before, to: after))
                ],
                events: [.sample()], at: Date(timeIntervalSince1970: 1_767_225_600)))
    }

    private func change(_ before: Data, _ after: Data) throws {
        try store.finish(try begin(before, after), appending: [.sample()])
    }

    private func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
        try store.pool.read { try Value.fetchOne($0, sql: sql) }
    }

    /// Contents of which each is the one before with another number in it.
    private func contents(_ count: Int, size: Int) -> [Data] {
        let (start, end) = (String(repeating: "x", count: size), String(repeating: "y", count: size))
        return (0..<count).map { Data("\(start)\n\($0)\n\(end)".utf8) }
    }

    @Test("A change of a large file adds some hundred bytes to what is kept of it, and its content stays as it was")
    func small() throws {
        let contents = contents(12, size: 1_000_000)
        try store.setHead(Self.head(contents[0]))
        for (before, after) in zip(contents, contents.dropFirst()) {
            let id = try begin(before, after)
            #expect(try #require(try value("SELECT sum(length(edit)) FROM intent_file") as Int?) < 100)
            try store.finish(id, appending: [.sample()])
            #expect(try value("SELECT content FROM head_content") == contents[0])
        }
        #expect(try #require(try value("SELECT sum(length(edit)) FROM head_edit") as Int?) < 600)
        #expect(try store.head(of: .values, at: Self.path) == Self.head(contents[11]))
    }

    @Test(
        "Files that change places are known at the new ones with all that was kept of them, and the history stays sound"
    )
    func moves() throws {
        let contents = contents(4, size: 1000)
        let other = FileHead(
            role: .values, path: "/srv/other.xml", hash: ContentHash.sha256(Data("other".utf8)),
            content: Data("other".utf8))
        try store.setHead(Self.head(contents[0]))
        try store.setHead(other)
        for (before, after) in zip(contents, contents.dropFirst()) { try change(before, after) }
        try store.moveHeads([
            HeadMove(role: .values, from: Self.path, to: other.path),
            HeadMove(role: .values, from: other.path, to: Self.path),
        ])
        #expect(try store.head(of: .values, at: other.path)?.content == contents[3])
        #expect(try store.head(of: .values, at: Self.path)?.content == other.content)
        // To a place of which something else was known, and from one of which nothing was.
        try store.moveHeads([
            HeadMove(role: .values, from: other.path, to: Self.path),
            HeadMove(role: .values, from: "/srv/none.xml", to: "/srv/third.xml"),
        ])
        #expect(try store.head(of: .values, at: Self.path)?.content == contents[3])
        #expect(try store.head(of: .values, at: other.path) == nil)
        #expect(try store.head(of: .values, at: "/srv/third.xml") == nil)
        try change(contents[3], contents[0])
        #expect(try store.head(of: .values, at: Self.path)?.content == contents[0])
        guard case .sound = try store.verify() else {
            Issue.record("\(try store.verify())")
            return
        }
    }

    @Test("The log of a change of a large file is as small as that of a small one")
    func log() throws {
        let contents = contents(3, size: 4_000_000)
        try store.setHead(Self.head(contents[0]))
        try change(contents[0], contents[1])
        _ = try store.pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try change(contents[1], contents[2])
        let log = history.folder.appending(path: "flags.history.sqlite-wal")
        #expect(try #require(try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int) < 300_000)
    }

    @Test(
        "However many edits follow, what was last known is told, and they are put together now and then",
        arguments: [10, 50_000])
    func folded(size: Int) throws {
        let contents = contents(1200, size: size)
        try store.setHead(Self.head(contents[0]))
        var most = 0
        for (before, after) in zip(contents, contents.dropFirst()) {
            try change(before, after)
            most = max(most, try value("SELECT count(*) FROM head_edit") ?? 0)
        }
        #expect((100...1000).contains(most))
        #expect(try #require(try value("SELECT count(*) FROM head_edit") as Int?) < most)
        #expect(try value("SELECT content FROM head_content") != contents[0])
        #expect(try history.open().head(of: .values, at: Self.path) == Self.head(contents[1199]))
        let verdict = try store.verify()
        if case .sound = verdict { return }
        Issue.record("\(verdict)")
    }

    private func canTakeBack(_ before: Data, in content: Data) throws -> Bool {
        let splices = try store.splices(
            takingBackEditOf: ContentHash.sha256(before), of: .values, at: Self.path, in: content)
        guard let splices else { return false }
        var restored = content
        for splice in splices.reversed() {
            restored.replaceSubrange(splice.start..<splice.start + splice.old.count, with: splice.new)
        }
        return restored == before
    }

    @Test("The newest edit is kept whatever its size, and goes with the next ones when it outweighs the content")
    func large() throws {
        let contents = (0..<4).map { Data(repeating: UInt8($0), count: 100_000) }
        try store.setHead(Self.head(contents[0]))
        for (before, after) in zip(contents, contents.dropFirst()) {
            try change(before, after)
            #expect(try value("SELECT count(*) FROM head_edit") == 1)
            #expect(try value("SELECT content FROM head_content") == before)
            #expect(try store.head(of: .values, at: Self.path) == Self.head(after))
            #expect(try canTakeBack(before, in: after))
        }
        guard case .sound = try store.verify() else {
            Issue.record("\(try store.verify())")
            return
        }
    }

    @Test("The newest edit can be taken back after any number of edits, and so can those shortly before it")
    func newest() throws {
        let contents = contents(1100, size: 10)
        try store.setHead(Self.head(contents[0]))
        var merges = 0
        for (index, after) in contents.enumerated().dropFirst() {
            let edits: Int? = try value("SELECT count(*) FROM head_edit")
            try change(contents[index - 1], after)
            if try value("SELECT count(*) FROM head_edit") != edits.map({ $0 + 1 }) { merges += 1 }
            let isLeft =
                try store.splices(
                    takingBackEditOf: ContentHash.sha256(contents[index - 1]), of: .values, at: Self.path, in: after)
                != nil
            #expect(isLeft, "edit \(index)")
        }
        #expect(merges > 0)
        #expect(try #require(try value("SELECT sum(length(edit)) FROM head_edit") as Int?) < 17_000)
        let numbers = try store.pool.read { try Int.fetchAll($0, sql: "SELECT number FROM head_edit ORDER BY number") }
        #expect(numbers == Array(1...numbers.count) && numbers.count > 100)
    }

    @Test("A large edit leaves the small one before it to be taken back")
    func largeAfterSmall() throws {
        let text = String(repeating: "long ", count: 4000)
        let contents = ["a: 0x10\nb: 1\n", "a: 5\nb: 1\n", "a: 5\nb: \(text)\n"].map { Data($0.utf8) }
        try store.setHead(Self.head(contents[0]))
        for (before, after) in zip(contents, contents.dropFirst()) { try change(before, after) }
        let splices = try store.splices(
            takingBackEditOf: ContentHash.sha256(contents[0]), of: .values, at: Self.path, in: contents[2])
        #expect(splices == [ContentEdit.Splice(start: 3, old: Data("5".utf8), new: Data("0x10".utf8))])
    }

    @Test("A head that is set anew leaves nothing of the edits before it")
    func setAnew() throws {
        let contents = contents(3, size: 10)
        try store.setHead(Self.head(contents[0]))
        try change(contents[0], contents[1])
        try store.append([.sample(kind: .external)], head: Self.head(contents[0]))
        #expect(try value("SELECT count(*) FROM head_edit") == 0)
        try change(contents[0], contents[2])
        #expect(try store.head(of: .values, at: Self.path) == Self.head(contents[2]))
    }

    @Test("A change of something else than what the history knows leaves the hash alone")
    func unknownBefore() throws {
        let contents = contents(3, size: 10)
        try store.setHead(Self.head(contents[0]))
        try change(contents[1], contents[2])
        let head = FileHead(role: .values, path: Self.path, hash: ContentHash.sha256(contents[2]))
        #expect(try store.head(of: .values, at: Self.path) == head)
    }

    @Test(
        "What was altered of a head is told by a check, and never taken for what the file held",
        arguments: [
            "UPDATE head_content SET content = CAST(content || x'00' AS BLOB)",
            "UPDATE head_edit SET edit = x'00' WHERE number = 2",
            "UPDATE head_edit SET number = 7 WHERE number = 3", "UPDATE head_edit SET size = size + 1 WHERE number = 1",
            "DELETE FROM head_edit WHERE number = 3", "DELETE FROM head_edit WHERE number = 1",
            "UPDATE head SET hash = zeroblob(32)",
            "UPDATE head_edit SET edit = (SELECT edit FROM head_edit WHERE number = 2)",
        ])
    func altered(sql: String) throws {
        let contents = contents(4, size: 10)
        try store.setHead(Self.head(contents[0]))
        for (before, after) in zip(contents, contents.dropFirst()) { try change(before, after) }
        try history.tamperUnseen(sql)
        let error = #expect(throws: HistoryStoreError.self) { try store.head(of: .values, at: Self.path) }
        #expect(error?.isDamage == true)
        let start = "The history \(history.url.path) is damaged (the record of /srv/flags.xml was altered)."
        #expect(error?.description.hasPrefix(start) == true)
        #expect(try store.verify() == .unproven(reason: "the record of /srv/flags.xml was altered"))
    }

    @Test("What is kept of a file that the history does not know is told by a check")
    func strangers() throws {
        try store.setHead(.old)
        try history.tamperUnseen("UPDATE head SET path = '/srv/other.xml'")
        #expect(try store.verify() == .unproven(reason: "the record of the files was altered"))
    }
}
