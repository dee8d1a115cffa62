import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("Pruning")
struct PruningTests {
    private struct Failure: Error {}

    private let history: TemporaryHistory
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws { history = try TemporaryHistory() }

    private func filled(_ count: Int) throws -> HistoryStore {
        let store = try history.open()
        for id in 0..<count {
            let at = Self.now.addingTimeInterval(Double(id - count) * 86_400)
            try store.append([.sample(at: at, reason: "reason number \(id + 1)")], head: nil)
        }
        return store
    }

    private var event: HistoryEvent {
        .sample(
            key: "history", at: Self.now, origin: .cli, kind: .prune, provider: nil, type: nil, before: nil, after: nil)
    }

    private func archive(_ name: String) -> URL { history.folder.appending(path: name) }

    @Test("Pruned rows are in the archive, the chain goes on, and all of it is checked together")
    func pruning() throws {
        let anchor: HistoryAnchor
        let kept: ChainHead
        do {
            let store = try filled(20)
            kept = ChainHead(id: 5, hash: try #require(try store.record(5, hiddenKeys: [])).hash)
            anchor = try store.prune(upTo: 12, recording: event)
            #expect(anchor.first == 1 && anchor.last == 12 && anchor.archive == "flags.history.1-12.jsonl")
            #expect(try store.page(HistoryQuery()).records.map(\.id) == (13...21).reversed())
            #expect(try store.page(HistoryQuery(text: "reason number 7")).total == 0)
            #expect(try store.page(HistoryQuery(text: "reason number 17")).total == 1)
            #expect(try store.anchor(ofRow: 12) == anchor)
            #expect(try store.anchor(ofRow: 13) == nil)
            #expect(try store.hash(ofRow: 13) == store.record(13, hiddenKeys: [])?.hash)
            #expect(try store.hash(ofRow: 12) == anchor.hash)
            #expect(try [-1, 11, 22].map { try store.hash(ofRow: $0) } == [nil, nil, nil])
            #expect(try store.hash(ofRow: 0) == ChainHead.empty.hash)
            let row = try #require(try store.record(21, hiddenKeys: []))
            #expect(row.event.kind == .prune && row.event.reason.contains("flags.history.1-12.jsonl"))
            #expect(try store.append([.sample()], head: nil).map(\.id) == [22])
        }
        let reading = try HistoryStore(reading: history.url)
        let file = archive("flags.history.1-12.jsonl")
        let coverage = try #require(try reading.verify(archives: [file]).coverage)
        #expect(coverage.firstID == 13 && coverage.head.id == 22 && coverage.count == 10 && coverage.archives == 1)
        #expect(try reading.verify(expecting: kept).firstBadRow == 5)
        #expect(try reading.verify(expecting: kept, archives: [file]).coverage != nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try HistoryArchive(contentsOf: file).hashes.count == 12)
    }

    @Test("A second pruning goes on from the first, and the rows are guarded as before")
    func twice() throws {
        let store = try filled(20)
        let first = try store.prune(upTo: 5, recording: event)
        let second = try store.prune(upTo: 10, recording: event)
        #expect(second.first == 6 && second.last == 10)
        #expect(try store.anchors() == [first, second])
        let files = ["flags.history.1-5.jsonl", "flags.history.6-10.jsonl"].map(archive)
        #expect(try store.verify(archives: files).coverage?.archives == 2)
        for sql in [
            "DELETE FROM history", "UPDATE history SET reason = ''", "DELETE FROM anchor", "UPDATE anchor SET at = 0",
        ] {
            #expect(throws: DatabaseError.self) {
                try history.raw().writeWithoutTransaction { try $0.execute(sql: sql) }
            }
        }
        #expect(throws: HistoryStoreError.self) { try store.prune(upTo: 10, recording: event) }
    }

    @Test("More than a thousand rows, all of them, and their checkpoints")
    func all() throws {
        do {
            let store = try history.open()
            try store.append((0..<2500).map { .sample(at: .distantPast, reason: "\($0)") }, head: nil)
            #expect(try store.prunable(.keepingRows(0), now: Self.now) == PrunableRows(last: 2500, heldBack: nil))
            #expect(try store.prune(upTo: 2500, recording: event).count == 2500)
            try store.append((0..<1600).map { .sample(reason: "\($0)") }, head: nil)
        }
        let store = try history.open()
        #expect(store.signingProblem == nil)
        #expect(try store.verify(archives: [archive("flags.history.1-2500.jsonl")]).coverage?.count == 1601)
    }

    @Test(
        "A failure at any step leaves the old state or the new one, and an archive that is complete",
        arguments: HistoryStore.PruningStep.allCases)
    func interrupted(_ failing: HistoryStore.PruningStep) throws {
        do {
            let store = try filled(10)
            #expect(throws: HistoryStoreError.self) {
                try store.prune(upTo: 6, archive: nil, recording: event) { step in
                    if step == failing { throw Failure() }
                }
            }
        }
        let store = try history.open()
        let file = archive("flags.history.1-6.jsonl")
        #expect(try HistoryArchive(contentsOf: file).last.id == 6)
        let rows = try store.page(HistoryQuery()).records.map(\.id)
        let isDone = failing == .committed
        #expect(rows == (isDone ? (7...11).reversed() : (1...10).reversed()))
        #expect(try store.verify(archives: isDone ? [file] : []).coverage != nil)
        #expect(try store.anchors().count == (isDone ? 1 : 0))
        if !isDone { #expect(try store.prune(upTo: 6, recording: event).last == 6) }
        let names = try FileManager.default.contentsOfDirectory(atPath: history.folder.path)
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    @Test("Nothing is pruned where the archive’s place is taken, a change is under way, or the history is not sound")
    func refusals() throws {
        do {
            let store = try filled(5)
            let taken = archive("taken.jsonl")
            try Data("mine".utf8).write(to: taken)
            let error = #expect(throws: HistoryStoreError.self) {
                try store.prune(upTo: 3, archive: taken, recording: event)
            }
            #expect(error?.description.contains("taken.jsonl already exists") == true)
            #expect(try Data(contentsOf: taken) == Data("mine".utf8))
            let intent = try store.begin(.sample())
            let open = #expect(throws: HistoryStoreError.self) { try store.prune(upTo: 3, recording: event) }
            #expect(open?.description.contains("was interrupted") == true)
            try store.abandon(intent, appending: [])
            #expect(try store.page(HistoryQuery()).total == 5)
        }
        try history.tamper("UPDATE history SET actor = 'eve' WHERE id = 4")
        let store = try history.open()
        let error = #expect(throws: HistoryStoreError.self) { try store.prune(upTo: 3, recording: event) }
        #expect(error?.description.contains("row 4") == true)
        #expect(try store.page(HistoryQuery()).total == 5)
    }

    @Test("What a killed pruning left is removed by the next start and the next pruning, and nothing else is")
    func clearsTemporaries() throws {
        let store = try filled(3)
        let elsewhere = history.folder.appending(path: "archives")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
        let left = [
            ".flags.history.1-2.jsonl.\(UUID()).tmp", ".flags.history.key.\(UUID()).tmp",
            ".flags.history.checkpoints.\(UUID()).tmp", ".flags.history.3-4.jsonl.draft.\(UUID()).tmp",
            "archives/.old.jsonl.\(UUID()).tmp", "archives/.old.jsonl.draft.\(UUID()).tmp",
        ]
        let others = [
            ".flags.history.1-2.jsonl.mine.tmp", "flags.history.1-2.jsonl.\(UUID()).tmp",
            ".flags.history.1-x.jsonl.\(UUID()).tmp",
            ".other.key.\(UUID()).tmp", "archives/.new.jsonl.\(UUID()).tmp",
        ]
        for name in left + others { try Data().write(to: history.folder.appending(path: name)) }
        func there(_ names: [String]) -> [String] {
            names.filter { FileManager.default.fileExists(atPath: history.folder.appending(path: $0).path) }
        }
        try store.removeTemporaries()
        #expect(there(left) == Array(left[4...]))
        try store.removeTemporaries(of: elsewhere.appending(path: "old.jsonl"))
        #expect(there(left).isEmpty)
        #expect(there(others) == others)
    }

    @Test("Rows are taken by their order, whole batches, and never with an idempotency key of the last day")
    func extent() throws {
        let store = try history.open()
        let old = Self.now.addingTimeInterval(-100 * 86_400)
        let batch = UUID()
        try store.append(
            [
                .sample(at: old), .sample(at: old), .sample(at: old, batch: batch), .sample(at: old, batch: batch),
                .sample(at: Self.now), .sample(at: old),
                .sample(at: Self.now.addingTimeInterval(-3600), idempotencyKey: "once"), .sample(at: Self.now),
            ], head: nil)
        func last(_ extent: PruningExtent) throws -> Int64? { try store.prunable(extent, now: Self.now).last }
        func heldBack(_ extent: PruningExtent) throws -> PrunableRows.HeldBack? {
            try store.prunable(extent, now: Self.now).heldBack
        }
        #expect(try last(.before(Self.now.addingTimeInterval(-86_400))) == 4)
        #expect(try last(.keepingRows(6)) == 2)
        #expect(try last(.keepingRows(5)) == 2)
        #expect(try last(.keepingRows(4)) == 4)
        #expect(try last(.keepingRows(0)) == 6)
        #expect(try last(.keepingRows(8)) == nil)
        #expect(try last(.before(old)) == nil)
        // What stays only for the sake of a request that may be repeated is told.
        let tomorrow = Self.now.addingTimeInterval(23 * 3600)
        #expect(try heldBack(.keepingRows(0)) == PrunableRows.HeldBack(count: 2, until: tomorrow))
        #expect(try heldBack(.keepingRows(1)) == PrunableRows.HeldBack(count: 1, until: tomorrow))
        #expect(try heldBack(.keepingRows(2)) == nil)
        #expect(try heldBack(.before(old)) == nil)
        #expect(
            try store.prunable(.keepingRows(0), now: tomorrow.addingTimeInterval(1))
                == PrunableRows(last: 8, heldBack: nil))
        _ = try store.prune(upTo: 6, recording: event)
        #expect(try store.record(7, hiddenKeys: [])?.event.idempotencyKey == "once")
    }

    @Test(
        "An altered anchor or archive is found",
        arguments: [
            "UPDATE anchor SET first = 2", "UPDATE anchor SET last = 4", "UPDATE anchor SET hash = randomblob(32)",
            "UPDATE anchor SET archive = 'other.jsonl'", "UPDATE anchor SET archive_hash = zeroblob(32)",
            "UPDATE anchor SET at = at + 1", "UPDATE anchor SET actor = 'eve'",
            "UPDATE anchor SET signature = zeroblob(64)", "DELETE FROM anchor",
        ])
    func alteredAnchor(_ sql: String) throws {
        do {
            let store = try filled(10)
            _ = try store.prune(upTo: 5, recording: event)
        }
        try history.tamperUnseen(sql)
        #expect(try HistoryStore(reading: history.url).verify().coverage == nil)
    }

    @Test("Every byte of an archive counts")
    func alteredArchive() throws {
        let store = try filled(3)
        _ = try store.prune(upTo: 2, recording: event)
        let file = archive("flags.history.1-2.jsonl")
        let content = try Data(contentsOf: file)
        for index in stride(from: 0, to: content.count, by: 7) {
            var altered = content
            altered[index] ^= 4
            try altered.write(to: file)
            #expect(try store.verify(archives: [file]).coverage == nil, "byte \(index)")
        }
        let text = String(decoding: content, as: UTF8.self)
        for number in ["9223372036854775807", "-9223372036854775808"] {
            for name in ["first", "last"] {
                let altered = text.replacing(try Regex("\"\(name)\":\\d+"), maxReplacements: 1) { _ in
                    "\"\(name)\":\(number)"
                }
                #expect(altered != text)
                try Data(altered.utf8).write(to: file)
                #expect(try store.verify(archives: [file]).coverage == nil)
            }
        }
        try content.write(to: file)
        #expect(try store.verify(archives: [file]).coverage != nil)
    }
}

@Suite("Accepting a history that is not what was signed")
struct AcceptingTests {
    private let history: TemporaryHistory
    private var companions: SigningFiles { SigningFiles(of: history.url) }

    init() throws { history = try TemporaryHistory() }

    private func accept() throws -> String? {
        try history.open().accept(recording: .sample(key: "history", kind: .accept, reason: "restored"))
    }

    @Test("An older copy that was put back is told, accepted with a row, and sound from then on")
    func restored() throws {
        do { try history.open().append((0..<3).map { _ in .sample() }, head: nil) }
        let backup = try Data(contentsOf: history.url)
        do { try history.open().append((0..<1200).map { _ in .sample() }, head: nil) }
        try backup.write(to: history.url)
        #expect(try HistoryStore(reading: history.url).verify().reason?.contains("rows 4 to 1203 are missing") == true)
        #expect(try accept()?.contains("rows 4 to 1203") == true)
        let store = try history.open()
        #expect(store.signingProblem == nil)
        #expect(try store.verify().coverage?.signedID == 4)
        let row = try #require(try store.record(4, hiddenKeys: []))
        #expect(row.event.kind == .accept && row.event.reason.contains("restored") && row.event.reason.contains("1203"))
        let names = try FileManager.default.contentsOfDirectory(atPath: history.folder.path)
        #expect(names.contains { $0.hasPrefix("flags.history.checkpoints.before-") })
        #expect(try accept() == nil)
    }

    @Test("Where the key or the checkpoints are lost, a new start is made, and anchors hold on")
    func lost() throws {
        do {
            let store = try history.open()
            try store.append((0..<5).map { _ in .sample() }, head: nil)
            _ = try store.prune(upTo: 2, recording: .sample(kind: .prune))
        }
        for url in [companions.checkpoints, companions.key] {
            try FileManager.default.removeItem(at: url)
            #expect(try HistoryStore(reading: history.url).verify().coverage == nil)
            #expect(try accept() != nil)
            let archive = history.folder.appending(path: "flags.history.1-2.jsonl")
            #expect(try HistoryStore(reading: history.url).verify(archives: [archive]).coverage != nil)
        }
    }

    @Test("A history with an altered row is not accepted")
    func altered() throws {
        do { try history.open().append((0..<3).map { _ in .sample() }, head: nil) }
        try history.tamper("UPDATE history SET actor = 'eve' WHERE id = 2")
        let error = #expect(throws: HistoryStoreError.self) { try accept() }
        #expect(error?.description.contains("can't be accepted") == true)
    }
}
