import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

/// Copies of a project's folder, each as a process that is killed at that moment leaves it.
private final class KillPoints: Sendable {
    private let folder: URL
    private let copies: URL
    private let storage = Mutex<[URL]>([])

    init(_ project: Project) throws {
        folder = project.folder
        copies = folder.appendingPathExtension("copies")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: copies) } catch { Issue.record(error) }
    }

    var all: [URL] { storage.withLock { $0 } }

    /// The process could be killed here.
    func mark() {
        storage.withLock { points in
            let copy = copies.appending(path: "\(points.count)")
            do {
                try FileManager.default.copyItem(at: folder, to: copy)
                points.append(copy)
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Puts the folder into the state of a copy.
    func restore(_ copy: URL) throws {
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.copyItem(at: copy, to: folder)
    }
}

/// A process that is killed at every step of a batch of three files, and the next start.
@Suite("A batch that is interrupted")
struct KillPointTests {
    let project: Project
    private let second: URL
    private let limit = FlagKeyPath.of("checkout", "limit")

    init() throws {
        project = try Project()
        second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
    }

    private func service(_ options: ChangeService.Options = .init(clock: { Project.now })) throws -> ChangeService {
        let others = [FlagFiles.Provider(name: "Second", url: second, isWritable: true)]
        return try ChangeService(files: FlagFiles(values: project.file, others: others), options: options)
    }

    private var batch: [Change] {
        [
            Change(key: limit, action: .setText("6"), reason: "why"),
            Change(key: limit, action: .setText("7"), provider: "Second"), Change(key: limit, action: .lock),
        ]
    }

    /// What the three files hold of the batch, in its order.
    private func held() throws -> [Bool] {
        try zip(
            [project.file, second, project.manifestFile],
            ["<integer>6<", "<integer>7<", "<key>maximum</key><integer>10</integer><key>isLocked</key><true/>"]
        ).map { try String(contentsOf: $0, encoding: .utf8).contains($1) }
    }

    /// Makes the batch and keeps a copy at each step.
    private func points(swapping: Bool, author: ChangeAuthor = Project.author) async throws -> KillPoints {
        let points = try KillPoints(project)
        var options = ChangeService.Options(
            clock: {
                points.mark()
                return Project.now
            })
        options.canExchange = { _ throws(FileAccessError) in swapping }
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            points.mark()
            try AtomicFile.exchange(temporary, with: url)
            points.mark()
        }
        options.actions.link = { url, backup throws(FileAccessError) in
            points.mark()
            try AtomicFile.link(url, as: backup)
        }
        options.actions.rename = { temporary, url throws(FileAccessError) in
            points.mark()
            try AtomicFile.rename(temporary, to: url)
            points.mark()
        }
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            points.mark()
            try AtomicFile.synchronizeFolder(of: url)
            points.mark()
        }
        let service = try service(options)
        _ = try await service.apply(ChangeRequest(batch, by: author))
        points.mark()
        service.history.close()
        return points
    }

    /// Checks what holds after every start, and closes the history, whose files are about to be replaced.
    private func checkSound(_ service: ChangeService) throws {
        if case .broken(let row, let reason) = try service.history.verifyChain() { Issue.record("\(row): \(reason)") }
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml", "second.xml"])
        service.history.close()
    }

    @Test("At every step, the next start has made all of it or none, with rows that say so", arguments: [true, false])
    func allOrNone(swapping: Bool) async throws {
        let points = try await points(swapping: swapping)
        var outcomes: [String] = []
        for copy in points.all {
            try points.restore(copy)
            let service = try service()
            let (held, kinds) = (try held(), try service.rows().map(\.event.kind))
            #expect(Set(held).count == 1, "\(copy.lastPathComponent): \(held)")
            if held[0] {
                #expect(kinds == [.set, .set, .lock], "\(copy.lastPathComponent): \(kinds)")
                outcomes.append("made")
            } else {
                #expect([[], [.aborted, .aborted, .aborted]].contains(kinds), "\(copy.lastPathComponent): \(kinds)")
                outcomes.append(kinds.isEmpty ? "untouched" : "aborted")
            }
            #expect(Set(try service.rows().map(\.event.batch)).count <= 1)
            let hashes = try service.rows().map(\.event.fileHashAfter)
            let files = [project.file, second, project.manifestFile]
            if !hashes.isEmpty { #expect(try hashes == files.map { ContentHash.sha256(try Data(contentsOf: $0)) }) }
            try checkSound(service)
        }
        #expect(Set(outcomes) == ["untouched", "aborted", "made"])
        #expect(outcomes.count >= 12)
    }

    @Test("At every step, what another program then edits stays and is recorded, and the rows say what the files hold")
    func editedAfterwards() async throws {
        let points = try await points(swapping: true)
        for copy in points.all {
            for file in [project.file, second] {
                try points.restore(copy)
                let text = try String(contentsOf: file, encoding: .utf8)
                try Data(text.replacingOccurrences(of: "nobody defined me", with: "edited").utf8)
                    .write(to: file, options: .atomic)
                let service = try service()
                #expect(try String(contentsOf: file, encoding: .utf8).contains("edited"), "\(copy.lastPathComponent)")
                let rows = try service.rows()
                #expect(
                    rows.last { $0.event.key == .of("stray") }?.event.after == .string("edited"),
                    "\(copy.lastPathComponent): \(rows.map(\.event.kind))")
                // Whatever of the batch is in a file, made or left there by the edit, has a row.
                for (isHeld, provider) in zip(try held(), ["Local", "Second"]) {
                    let last = rows.last {
                        $0.event.key == limit && $0.event.provider == provider && $0.event.kind != .aborted
                    }
                    #expect((last != nil) == isHeld, "\(copy.lastPathComponent): \(provider) \(rows.map(\.event.kind))")
                }
                try checkSound(service)
            }
        }
    }

    @Test("A batch whose temporary files somebody removed is decided by what the files hold, all or none")
    func withoutTemporaries() async throws {
        let points = try await points(swapping: true)
        for copy in points.all {
            try points.restore(copy)
            for name in try FileManager.default.contentsOfDirectory(atPath: project.folder.path)
            where name.hasSuffix(".tmp") {
                try FileManager.default.removeItem(at: project.folder.appending(path: name))
            }
            let service = try service()
            let (held, kinds) = (try held(), try service.rows().map(\.event.kind))
            #expect(Set(held).count == 1, "\(copy.lastPathComponent): \(held)")
            #expect(held[0] == (kinds == [.set, .set, .lock]), "\(copy.lastPathComponent): \(kinds)")
            try checkSound(service)
        }
    }

    @Test("A recovery that is itself interrupted is finished by the next start")
    func interruptedRecovery() async throws {
        let points = try await points(swapping: true)
        let interrupted = Counter()
        for copy in points.all {
            try points.restore(copy)
            let store = try HistoryStore(url: project.folder.appending(path: "flags.history.sqlite"))
            let intent = try store.openIntents().first
            let first = try intent.map { try InterruptedFile($0.files[0], at: project.file) }
            let isHalfDone = try first?.condition == .replaced && held() != [true, true, true]
            // The first file is put back already, as a recovery would have it when it is killed right then.
            if isHalfDone { #expect(try first?.putBack() == .putBack) }
            store.close()
            guard isHalfDone else { continue }
            interrupted.add()
            let service = try service()
            #expect(try held() == [false, false, false], "\(copy.lastPathComponent)")
            #expect(try service.rows().map(\.event.kind) == [.aborted, .aborted, .aborted])
            try checkSound(service)
        }
        #expect(interrupted.value >= 3)
    }

    @Test("An answer is kept with the changes: a request that is repeated after a crash is made once")
    func repeatedAfterwards() async throws {
        let author = ChangeAuthor(name: "ada", role: .admin, origin: .api, idempotencyKey: "k")
        let points = try await points(swapping: true, author: author)
        for copy in points.all {
            try points.restore(copy)
            let service = try service()
            _ = try await service.apply(ChangeRequest(batch, by: author))
            let made = try service.rows().filter { $0.event.kind != .aborted }
            #expect(made.map(\.event.kind) == [.set, .set, .lock], "\(copy.lastPathComponent)")
            try checkSound(service)
        }
    }

    @Test("Where only some of its files are served, the start is refused; where none is, the batch waits")
    func servedInPart() async throws {
        let points = try await points(swapping: true)
        let copy = try #require(points.all.dropFirst(points.all.count / 2).first)
        try points.restore(copy)
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains(second.path) && error.description.contains("not being served"))
        let other = project.folder.appending(path: "other.xml")
        try Data(Project.values.utf8).write(to: other)
        do {
            let elsewhere = try ChangeService(
                files: FlagFiles(values: other, history: project.folder.appending(path: "flags.history.sqlite")))
            #expect(try elsewhere.history.openIntents().count == 1)
            elsewhere.history.close()
        }
        try FileManager.default.removeItem(at: other)
        try checkSound(try service())
    }
}
