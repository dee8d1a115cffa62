import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Synchronization
import Testing

@testable import FlagChanges

@Suite("Changes that fail half-way")
struct InterruptedTests {
    let project: Project
    private let log = Log()
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    private func refusal(_ service: ChangeService) async throws -> ChangeError {
        try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        }
    }

    /// Makes the history refuse rows, or accept them again.
    private func refuseRows(_ isRefusing: Bool) throws {
        let queue = try DatabaseQueue(path: project.folder.appending(path: "flags.history.sqlite").path)
        try queue.write { db in
            try db.execute(
                sql: isRefusing
                    ? "CREATE TRIGGER refuse BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'no rows'); END"
                    : "DROP TRIGGER refuse")
        }
        try queue.close()
    }

    @Test("A replacement that can't be made durable is taken back, and nobody else is blamed for it")
    func takesBackUnsynchronized() async throws {
        let isFirst = Mutex(true)
        var options = ChangeService.Options(log: log.add)
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            try AtomicFile.synchronizeFolder(of: fails ? url.appending(path: "nowhere/flags.xml") : url)
        }
        let service = try project.service(options)
        let refusal = try await refusal(service)
        #expect(refusal.reason == .unavailable)
        #expect(refusal.remedy.contains("restored"))
        #expect(!refusal.description.contains(".."), "\(refusal.description)")
        #expect(try project.text() == Project.values)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.history.openIntents().isEmpty)
        _ = try await service.apply(Change(key: key, action: .setText("7")), by: Project.author)
        #expect(try service.rows().map(\.event.kind) == [.set])
    }

    @Test("A file that can't be replaced stays, and its temporary file is not missed")
    func reportsFailedRename() async throws {
        let (folder, file) = (project.folder, project.file)
        let options = ChangeService.Options(
            clock: {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                where name.hasSuffix(".tmp") {
                    try? FileManager.default.removeItem(at: folder.appending(path: name))
                }
                return Project.now
            }, log: log.add)
        let service = try project.service(options)
        let refusal = try await refusal(service)
        #expect(refusal.description.contains(file.path))
        #expect(refusal.remedy.contains("Nothing was changed"))
        #expect(log.lines.isEmpty, "\(log.lines)")
        #expect(try service.history.openIntents().isEmpty)
        #expect(try await service.fileProblems().isEmpty)
    }

    @Test("A change that can be neither recorded nor taken back is said to be in the file, and becomes one row")
    func saysThatFileHoldsChange() async throws {
        let (folder, away) = (project.folder, project.folder.appendingPathExtension("away"))
        let options = ChangeService.Options(log: { [log] line in
            log.add(line)
            if line.contains("is being undone") { try? FileManager.default.moveItem(at: folder, to: away) }
        })
        let service = try project.service(options)
        try refuseRows(true)
        let refusal = try await refusal(service)
        try FileManager.default.moveItem(at: away, to: folder)
        #expect(refusal.description.contains("The change is in flags.xml"))
        #expect(!"\(refusal.description) \(refusal.remedy)".contains("othing was changed"))
        let fileProblems = try await service.fileProblems()
        #expect("\(fileProblems)".contains("it failed and can't be undone"), "\(fileProblems)")
        #expect(try service.rows().isEmpty)
        try refuseRows(false)
        let overview = try await service.overview()
        #expect(overview.catalogue[key]?.resolution.effectiveValue == .integer(6))
        #expect(overview.fileProblems.isEmpty, "\(overview.fileProblems)")
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.set])
        #expect(rows.first?.event.after == .integer(6))
    }
}
