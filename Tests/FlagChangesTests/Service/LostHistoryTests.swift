import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("A history or a lock that goes while it is in use")
struct LostHistoryTests {
    let project: Project
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    private func set(_ service: ChangeService, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
    }

    @Test(
        "Each of the history's files is missed when it is removed, and its return ends the wait",
        arguments: ["flags.history.sqlite", "flags.history.sqlite-wal", "flags.history.sqlite-shm"])
    func goesAndComesBack(name: String) async throws {
        let service = try project.service()
        let (place, away) = (project.folder.appending(path: name), project.folder.appending(path: "away"))
        try FileManager.default.moveItem(at: place, to: away)
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
        #expect(refusal.description.contains("\(name) was removed, replaced or truncated"))
        #expect(try project.text() == Project.values)
        // Another file in its place is no better.
        try FileManager.default.copyItem(at: away, to: place)
        #expect("\(try await service.fileProblems())".contains("\(name) was removed, replaced or truncated"))
        try FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: away, to: place)
        #expect(try await service.fileProblems().isEmpty)
        _ = try await set(service, "6")
        #expect(try service.rows().count == 1)
    }

    @Test("The folder is renamed away and back: nothing is changed or lost meanwhile")
    func folderGoesAndComesBack() async throws {
        let service = try project.service()
        let away = project.folder.appendingPathExtension("away")
        try FileManager.default.moveItem(at: project.folder, to: away)
        await #expect(throws: ChangeError.self) { try await set(service, "6") }
        #expect(try await service.fileProblems().count > 1)
        try FileManager.default.moveItem(at: away, to: project.folder)
        _ = try await set(service, "6")
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.rows().map(\.event.kind) == [.set])
    }

    @Test("A lock whose file is removed is taken anew before another process can")
    func renewsLock() async throws {
        let service = try project.service()
        try await service.announce("http://127.0.0.1:9/")
        for name in [".flags.xml.lock", ".flags.manifest.xml.lock", ".flags.history.sqlite.lock"] {
            try FileManager.default.removeItem(at: project.folder.appending(path: name))
        }
        _ = try await set(service, "6")
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains("http://127.0.0.1:9/"))
    }

    @Test("A second service of the same user refuses though the locks were removed")
    func refusesWithoutLocks() throws {
        let service = try project.service()
        let locks = try FileManager.default.contentsOfDirectory(atPath: project.folder.path)
            .filter { $0.hasSuffix(".lock") }
        for name in locks { try FileManager.default.removeItem(at: project.folder.appending(path: name)) }
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains("is already served by process"))
        withExtendedLifetime(service) {}
    }

    @Test("Where another process took the lock meanwhile, this one changes nothing until that one ends")
    func yieldsToOther() async throws {
        let service = try project.service()
        let locks = try FileManager.default.contentsOfDirectory(atPath: project.folder.path)
            .filter { $0.hasSuffix(".lock") }
        for name in locks { try FileManager.default.removeItem(at: project.folder.appending(path: name)) }
        do {
            // One of another user, whom this one does not tell what it serves.
            var options = ChangeService.Options()
            options.servedFolder = project.folder.appending(path: "served")
            let other = try project.service(options)
            let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
            #expect(refusal.description.contains("is already served by process"))
            #expect("\(try await service.fileProblems())".contains("is already served by process"))
            _ = try await set(other, "7")
        }
        _ = try await set(service, "8")
        #expect(try service.rows().map(\.event.after) == [.integer(7), .integer(8)])
    }

    @Test("While the history takes no rows, an edit from outside is shown, said to wait, and recorded later")
    func recordsLater() async throws {
        let service = try project.service()
        let history = project.folder.appending(path: "flags.history.sqlite")
        try RowRefusal.begin(in: history)
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<"))
        let overview = try await service.overview()
        #expect(overview.catalogue[key]?.resolution.effectiveValue == .integer(8))
        #expect("\(overview.fileProblems)".contains("no rows"))
        await #expect(throws: ChangeError.self) { try await set(service, "6") }
        #expect(try project.text().contains("<integer>8<"))
        try RowRefusal.end(in: history)
        _ = try await set(service, "6")
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
        #expect(try service.rows().map(\.event.before) == [.integer(5), .integer(8)])
    }
}
