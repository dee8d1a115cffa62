import DurableFiles
import Foundation
import GRDB
import Synchronization
import Testing

@testable import FlagHistory

@Suite("Signed checkpoints")
struct CheckpointTests {
    private let history: TemporaryHistory
    private var companions: SigningFiles { SigningFiles(of: history.url) }

    init() throws { history = try TemporaryHistory() }

    private func list() throws -> CheckpointList {
        let content = try #require(try CheckpointFile.content(of: companions.checkpoints))
        let key = try #require(try SigningKey.read(companions.key))
        return try CheckpointList(content, key: key.publicKey)
    }

    private func verdict() throws -> HistoryVerdict { try HistoryStore(reading: history.url).verify() }

    @Test("The key and the checkpoints stand beside the history, readable by their owner alone")
    func companionFiles() throws {
        try history.open().append([.sample()], head: nil)
        #expect(companions.key.lastPathComponent == "flags.history.key")
        #expect(companions.checkpoints.lastPathComponent == "flags.history.checkpoints")
        for url in [companions.key, companions.checkpoints] {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("Each commit is signed at once, and the end of use is stated")
    func newest() throws {
        do {
            let store = try history.open()
            for id in 1...3 as ClosedRange<Int64> {
                try store.append([.sample()], head: nil)
                let newest = try list().newest
                #expect(newest.head == (try store.chainHead()))
                #expect(newest.head.id == id && newest.state == .open)
            }
            try store.setHead(.new)
            #expect(try list().newest.heads == store.read(HistoryStore.headsDigest))
        }
        #expect(try list().newest.state == .closed)
        #expect(try verdict().coverage?.signedID == 3)
    }

    @Test("Every thousandth row keeps its checkpoint, also where a batch goes past it")
    func kept() throws {
        let store = try history.open()
        for count in [999, 1, 1, 2500] { try store.append((0..<count).map { _ in .sample() }, head: nil) }
        #expect(try list().kept.map(\.head.id) == [1000, 2000, 3000])
        #expect(try verdict().coverage?.signedID == 3501)
    }

    @Test("A process that ends without a word leaves a sound history, whose last rows may not be signed")
    func killed() throws {
        let store = try history.open()
        try store.append([.sample()], head: nil)
        let behind = try Data(contentsOf: companions.checkpoints)
        try store.append([.sample(), .sample()], head: nil)
        // What a loss of power leaves: durable rows, and the checkpoint of earlier.
        try behind.write(to: companions.checkpoints)
        #expect(try verdict().coverage?.signedID == 1)
        #expect(try verdict().coverage?.head.id == 3)
        let next = try history.open()
        #expect(next.signingProblem == nil)
        #expect(try list().newest.head.id == 3)
    }

    @Test("A moved history stays sound with its two files, and is not without them")
    func moving() throws {
        try history.open().append([.sample()], head: nil)
        let other = try TemporaryHistory()
        for url in [history.url, companions.key, companions.checkpoints] {
            try FileManager.default.copyItem(at: url, to: other.folder.appending(path: url.lastPathComponent))
        }
        #expect(try HistoryStore(reading: other.url).verify().coverage?.signedID == 1)
        try other.open().append([.sample()], head: nil)
        #expect(try HistoryStore(reading: other.url).verify().coverage?.signedID == 2)

        let moved = SigningFiles(of: other.url)
        for url in [moved.key, moved.checkpoints] {
            let content = try Data(contentsOf: url)
            try FileManager.default.removeItem(at: url)
            let reason = try HistoryStore(reading: other.url).verify().reason
            #expect(reason?.contains(url.path) == true && reason?.contains("missing") == true)
            try content.write(to: url)
        }
        #expect(try HistoryStore(reading: other.url).verify().coverage?.signedID == 2)
    }

    @Test("Reading and checking a history writes nothing")
    func readingAlone() throws {
        try history.open().append([.sample()], head: nil)
        let files = [history.url, companions.key, companions.checkpoints]
        let before = try files.map { try Data(contentsOf: $0) }
        let store = try HistoryStore(reading: history.url)
        #expect(try store.verify().coverage != nil)
        #expect(throws: HistoryStoreError.self) { try store.append([.sample()], head: nil) }
        #expect(try files.map { try Data(contentsOf: $0) } == before)
    }

    @Test("Where the newest rows were cut off, nothing is signed any more, and changes go on")
    func evidence() throws {
        try history.open().append((0..<3).map { _ in .sample() }, head: nil)
        let signed = try Data(contentsOf: companions.checkpoints)
        try history.tamper("DELETE FROM history WHERE id = 3")
        let reports = Mutex<[String]>([])
        let store = try HistoryStore(url: history.url) { text in reports.withLock { $0.append(text) } }
        #expect(store.signingProblem?.contains("rows 3 to 3 are missing") == true)
        #expect(reports.withLock { $0.count } == 1)
        try store.append([.sample()], head: nil)
        #expect(try Data(contentsOf: companions.checkpoints) == signed)
        #expect(try store.verify().firstBadRow == 3)
    }

    @Test("Rows that are cut off or rewritten while the history is in use are not signed over")
    func evidenceInUse() throws {
        let store = try history.open()
        try store.append((0..<3).map { _ in .sample() }, head: nil)
        try history.tamper("DELETE FROM history WHERE id >= 2")
        try store.append([.sample()], head: nil)
        #expect(store.signingProblem != nil)
        #expect(try list().newest.head.id == 3)
        #expect(try store.verify().firstBadRow == 3)
    }

    @Test("Checkpoints that are removed or altered in use are told, and fail no change")
    func companionLost() throws {
        let store = try history.open()
        try store.append([.sample()], head: nil)
        try FileManager.default.removeItem(at: companions.checkpoints)
        #expect(try store.append([.sample()], head: nil).map(\.id) == [2])
        #expect(store.signingProblem?.contains("removed or replaced") == true)
        #expect(try verdict().reason?.contains("are missing") == true)
    }

    @Test(
        "An altered line, a line out of place and a missing one are found",
        arguments: [
            "flip 3", "flip 300", "flip 440", "flip 447", "flip 460", "swap 0 1", "swap 1 2", "copy 1 0", "copy 0 1",
            "remove 0", "remove 1", "remove 2", "cut 10", "empty",
        ])
    func alteredLines(_ alteration: String) throws {
        try history.open().append((0..<2100).map { _ in .sample() }, head: nil)
        #expect(try verdict().coverage != nil)
        var content = try Data(contentsOf: companions.checkpoints)
        let width = Checkpoint.width
        #expect(content.count == 3 * width)
        var lines = stride(from: 0, to: content.count, by: width).map { content[$0..<($0 + width)] }
        let words = alteration.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int($0) }
        switch words[0] {
        case "flip": content[numbers[0]] ^= 1
        case "swap":
            lines.swapAt(numbers[0], numbers[1])
            content = Data(lines.joined())
        case "copy":
            lines[numbers[1]] = lines[numbers[0]]
            content = Data(lines.joined())
        case "remove":
            lines.remove(at: numbers[0])
            content = Data(lines.joined())
        case "cut": content.removeLast(numbers[0])
        default: content = Data()
        }
        try content.write(to: companions.checkpoints)
        let verdict = try verdict()
        #expect(verdict.reason?.contains("flags.history.checkpoints") == true, "\(verdict)")
    }

    @Test("Another key is found, be it that it signed all anew")
    func otherKey() throws {
        try history.open().append([.sample()], head: nil)
        let key = SigningKey()
        let content = try history.raw().read { db in try HistoryStore.checkpoints(key, .closed, db) }
        try AtomicFile.replace(companions.key, with: Data(key.pem.utf8), mode: 0o600)
        #expect(try verdict().reason?.contains("is not the key") == true)
        try AtomicFile.replace(companions.checkpoints, with: content, mode: 0o600)
        #expect(try verdict().reason?.contains("not signed with this history's key") == true)
        try history.tamper("DELETE FROM signing_key")
        #expect(try verdict().reason?.contains("has no signing key") == true)
    }

    @Test("A history that was made anew beside the checkpoints of another one is found out")
    func historyGone() throws {
        try history.open().append([.sample(), .sample()], head: nil)
        for name in ["", "-wal", "-shm"] { unlink(history.url.path + name) }
        let store = try history.open()
        #expect(store.signingProblem?.contains("rows 1 to 2 are missing") == true)
        #expect(try store.verify().firstBadRow == 1)
    }

    @Test("Rows that were added behind a closed history, and heads that were altered, are found")
    func closed() throws {
        do {
            let store = try history.open()
            try store.append([.sample()], head: .new)
        }
        let forged = HistoryEvent.sample(actor: "eve")
        try history.raw().write { db in
            let stored = try StoredEvent(forged)
            let head = try HistoryStore.chainHead(db)
            try stored.insert(
                db, id: 2, previousHash: head.hash, hash: stored.hash(id: 2, previousHash: head.hash))
        }
        #expect(try HistoryStore(reading: history.url).verifyChain().firstBadRow == nil)
        #expect(try verdict().firstBadRow == 2)

        let other = try TemporaryHistory()
        do { try other.open().append([.sample()], head: .new) }
        try other.raw().write { try $0.execute(sql: "UPDATE head SET path = '/elsewhere'") }
        #expect(try HistoryStore(reading: other.url).verify().reason?.contains("the files was altered") == true)
    }

    @Test("Guards that were removed are told")
    func guards() throws {
        do { try history.open().append([.sample()], head: nil) }
        try history.tamper("SELECT 1")
        #expect(try verdict().reason?.contains("triggers") == true)
    }

    @Test("A clock that is set back changes neither the order of the rows nor the verdict")
    func clock() throws {
        do {
            let store = try history.open()
            let now = Date(timeIntervalSince1970: 1_790_000_000)
            for seconds in [0, -86_400, 3600, -1] as [TimeInterval] {
                try store.append([.sample(at: now.addingTimeInterval(seconds), reason: "\(seconds)")], head: nil)
            }
            #expect(try store.page(HistoryQuery()).records.map(\.id) == [4, 3, 2, 1])
            #expect(try store.page(HistoryQuery()).records.last?.event.reason == "0.0")
        }
        #expect(try verdict().coverage?.count == 4)
    }
}

extension HistoryVerdict {
    var coverage: HistoryCoverage? { if case .sound(let coverage) = self { coverage } else { nil } }
    var firstBadRow: Int64? { if case .broken(let row, _) = self { row } else { nil } }
    var reason: String? {
        switch self {
        case .sound: nil
        case .broken(_, let reason), .unproven(let reason), .wrongIndex(_, let reason), .wrongArchive(let reason):
            reason
        }
    }
}
