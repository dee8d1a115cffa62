import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

@Suite("Files in a git work tree", .enabled(if: Git.isThere))
struct GitTests {
    let project: Project
    let git: Git
    private let key = FlagKeyPath.of("checkout", "limit")
    private let log = Log()

    init() throws {
        project = try Project()
        git = try Git(project)
    }

    private func set(_ service: ChangeService, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
    }

    @Test("Another version that is checked out is recorded flag by flag, values and definitions alike")
    func checkout() async throws {
        try git.run("checkout", "-q", "-b", "other")
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<"))
        try project.writeManifest(Project.manifest.replacingOccurrences(of: "<integer>10<", with: "<integer>20<"))
        try git.commit("another version")
        try git.run("checkout", "-q", "main")
        let service = try project.service()
        try git.run("checkout", "-q", "other")
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(8))
        #expect(try service.rows().map(\.event.key) == [key, key])
        #expect(try service.rows().map(\.event.kind) == [.external, .external])
        #expect(try service.rows().map(\.event.provider) == ["Local", nil])
        _ = try await set(service, "15")
        try git.run("checkout", "-q", "-f", "main")
        _ = try await service.overview()
        #expect(try service.rows().dropFirst(3).map(\.event.before).first == .integer(15))
        #expect(try service.rows().count == 5)
    }

    @Test("A change that is stashed is recorded as taken back, and once more when it is applied")
    func stash() async throws {
        let service = try project.service()
        _ = try await set(service, "8")
        try git.run("stash", "-q")
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(5))
        try git.run("stash", "pop", "-q")
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(8))
        #expect(try service.rows().map(\.event.kind) == [.set, .external, .external])
        #expect(try service.rows().map(\.event.after) == [.integer(8), .integer(5), .integer(8)])
    }

    @Test(
        "When the history is cleaned away, nothing is changed any more, the pages go on, and a restart begins a new one"
    )
    func clean() async throws {
        do {
            let service = try project.service(ChangeService.Options(log: log.add))
            _ = try await set(service, "6")
            try git.run("clean", "-q", "-fdx")
            let overview = try await service.overview()
            #expect(overview.catalogue[key]?.resolution.effectiveValue == .integer(6))
            #expect("\(overview.fileProblems)".contains("flags.history.sqlite was removed, replaced or truncated"))
            let refusal = try await #require(throws: ChangeError.self) { try await set(service, "7") }
            #expect(refusal.reason == .unavailable)
            #expect(try project.text().contains("<integer>6<"))
            #expect(log.lines.count { $0.contains("was removed, replaced or truncated") } == 1, "\(log.lines)")
            // What the files say is still shown as it changes, but the lost history takes no more.
            try project.write(Project.values)
            #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(5))
            #expect(try project.names().contains { $0.contains("sqlite") } == false)
        }
        let service = try project.service()
        #expect(try service.rows().isEmpty)
        _ = try await set(service, "7")
        #expect(try service.rows().count == 1)
    }

    /// The steps of a change that call out.
    enum Step: CaseIterable { case intent, beforeSwap, afterSwap, synchronizing }

    @Test(
        "When everything is cleaned away in the middle of a change, it is refused, and the file is whole",
        arguments: Step.allCases)
    func cleanMeanwhile(step: Step) async throws {
        let isArmed = Mutex(false)
        let clean: @Sendable () -> Void = { [git] in
            let isDue = isArmed.withLock { isArmed in
                defer { isArmed = false }
                return isArmed
            }
            guard isDue else { return }
            do { try git.run("clean", "-q", "-fdx") } catch { Issue.record(error) }
        }
        var options = ChangeService.Options(
            clock: {
                if step == .intent { clean() }
                return Project.now
            }, log: log.add)
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            if step == .beforeSwap { clean() }
            try AtomicFile.exchange(temporary, with: url)
            if step == .afterSwap { clean() }
        }
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            if step == .synchronizing { clean() }
            try AtomicFile.synchronizeFolder(of: url)
        }
        do {
            let service = try project.service(options)
            isArmed.withLock { $0 = true }
            let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
            #expect(refusal.reason == .unavailable)
            #expect(!(try await service.fileProblems()).isEmpty)
            let document = try PropertyListDocument(source: Data(contentsOf: project.file))
            let held = try document.value(at: key)
            if held != .integer(5) { #expect(refusal.remedy.contains("Don't repeat the change"), "\(refusal)") }
        }
        let service = try project.service()
        #expect(try project.names() == [".git", "flags.manifest.xml", "flags.xml"])
        let held = try await service.catalogue()[key]?.resolution.effectiveValue
        #expect(held == .integer(5) || step == .afterSwap || step == .synchronizing)
    }

    @Test("Temporary files of ours that are cleaned away between two changes are missed by nobody")
    func cleanTemporaries() async throws {
        let service = try project.service()
        let left = try AtomicFile.writeTemporary(Data("x".utf8), beside: project.file, writer: "flagboard")
        try git.run("clean", "-q", "-fdx", "-e", "flags.history.sqlite*")
        #expect(!FileManager.default.fileExists(atPath: left.path))
        _ = try await set(service, "6")
        #expect(try await service.fileProblems().isEmpty)
        #expect(throws: ChangeServiceStartError.self) { try project.service() }
    }
}
