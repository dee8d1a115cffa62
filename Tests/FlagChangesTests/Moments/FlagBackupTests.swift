import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@testable import FlagChanges

@Suite("Backups")
struct FlagBackupTests {
    let project: Project
    let out: URL

    init() throws {
        project = try Project()
        out = project.folder.appending(path: "backup")
    }

    private func change(_ service: ChangeService, to value: Int) async throws {
        let change = Change(key: .of("checkout", "limit"), action: .setText("\(value)"))
        _ = try await service.apply(change, by: Project.author)
    }

    private func files(of url: URL) -> FlagFiles { FlagFiles(values: url.appending(path: "flags.xml")) }

    @discardableResult
    private func backUp(_ others: [FlagFiles.Provider] = []) async throws -> BackupContents {
        try await FlagBackup(of: FlagFiles(values: project.file, others: others), in: out).make(now: Project.now)
    }

    @Test("A backup beside a service has the files, the rows and what proves them, and is sound by itself")
    func backsUp() async throws {
        let service = try project.service()
        try await change(service, to: 6)
        let contents = try await backUp()
        let head = try service.history.chainHead()
        #expect(contents.rows == 1 && contents.head == "1:\(head.hash.hexadecimal)" && contents.unrecorded.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: out.path).sorted() == [
                ".gitignore", "backup.json", "flags.history.checkpoints", "flags.history.key", "flags.history.sqlite",
                "flags.manifest.xml", "flags.xml",
            ])
        guard case .sound(let coverage, _) = try HistoryAudit.run(files(of: out), expecting: head) else {
            Issue.record("the copy is not sound")
            return
        }
        #expect(coverage.head == head)
        for file in contents.files {
            let data = try Data(contentsOf: out.appending(path: file.name))
            #expect(data.count == file.bytes && ContentHash.sha256(data).hexadecimal == file.sha256)
        }
    }

    @Test("A backup of a history that was closed, and of one that was opened again since, is sound")
    func backsUpClosedHistory() async throws {
        do { try await change(try project.service(), to: 6) }
        #expect(try await backUp().rows == 1)
        let service = try project.service()
        try await change(service, to: 7)
        let second = project.folder.appending(path: "second")
        #expect(try await FlagBackup(of: FlagFiles(values: project.file), in: second).make(now: Project.now).rows == 2)
    }

    @Test("Values files of one name are told apart, and each says where it belongs")
    func namesFilesApart() async throws {
        let folder = project.folder.appending(path: "eu")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let other = folder.appending(path: "flags.xml")
        try Data(Project.plist("").utf8).write(to: other)
        let providers = [FlagFiles.Provider(name: "EU", url: other, isWritable: true)]
        _ = try project.service(others: providers)
        let contents = try await backUp(providers)
        let copy = try #require(contents.files.first { $0.use == "the provider EU" })
        #expect(copy.name == "flags-2.xml" && copy.path == other.path)
        #expect(try Data(contentsOf: out.appending(path: copy.name)) == Data(contentsOf: other))
    }

    @Test("A file that was edited outside and not taken up yet is copied as it is, and named")
    func namesUnrecordedEdits() async throws {
        do { _ = try project.service() }
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>9<"))
        let contents = try await backUp()
        #expect(contents.unrecorded == [project.file.path])
        #expect(try Data(contentsOf: out.appending(path: "flags.xml")) == Data(contentsOf: project.file))
    }

    /// What makes a backup useless, by the word that the refusal has.
    enum Flaw: String, CaseIterable {
        case tamperedRow = "row 1: "
        case missingKey = "flags.history.key"
        case missingCheckpoints = "flags.history.checkpoints"
        case openIntent = "was interrupted"
        case missingHistory = "the file doesn't exist"

        func apply(to project: Project) throws {
            let history = project.folder.appending(path: "flags.history.sqlite")
            let sql: String
            switch self {
            case .missingKey: return try FileManager.default.removeItem(at: SigningFiles(of: history).key)
            case .missingCheckpoints:
                return try FileManager.default.removeItem(at: SigningFiles(of: history).checkpoints)
            case .missingHistory: return try FileManager.default.removeItem(at: history)
            case .tamperedRow: sql = "UPDATE history SET actor = 'eve'"
            case .openIntent:
                sql = """
                    INSERT INTO intent (id, events, answers, at) VALUES (1, '[]', '[]', 0);
                    INSERT INTO intent_file (intent, role, path, temporary_name, hash_before, hash_after)
                    VALUES (1, 'values', '/srv/flags.xml', 'x.tmp', randomblob(32), randomblob(32))
                    """
            }
            try DatabaseQueue(path: history.path).write { db in
                let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
                for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger[0] as String)") }
                try db.execute(sql: sql)
                for trigger in triggers { try db.execute(sql: trigger[1]) }
            }
        }
    }

    @Test("What could not be restored is refused, and leaves nothing", arguments: Flaw.allCases)
    func refuses(_ flaw: Flaw) async throws {
        do { try await change(try project.service(), to: 6) }
        try flaw.apply(to: project)
        let before = try project.names()
        let error = await #expect(throws: (any Error).self) { try await backUp() }
        #expect("\(try #require(error))".contains(flaw.rawValue), "\(String(describing: error))")
        #expect(try project.names() == before)
    }

    @Test("A folder is not made where one of Flagboard's own files would be")
    func refusesOwnFile() async throws {
        do { _ = try project.service() }
        let tokens = FlagFiles(values: project.file).tokens
        let error = await #expect(throws: PlainError.self) {
            try await FlagBackup(of: FlagFiles(values: project.file), in: tokens).make(now: Project.now)
        }
        #expect(try #require(error).description.contains("is the token file"))
        #expect(!FileManager.default.fileExists(atPath: tokens.path))
    }

    @Test("A folder that has something in it is refused before anything is read")
    func refusesTakenFolder() async throws {
        do { _ = try project.service() }
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: out.appending(path: "note"))
        let error = await #expect(throws: PlainError.self) { try await backUp() }
        #expect(try #require(error).description.contains("Use a new folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["note"])
    }
}
