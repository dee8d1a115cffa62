import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@testable import FlagChanges

/// Another process that holds the history for writing.
private final class HistoryHolder: Sendable {
    private let queue: DatabaseQueue

    init(_ project: Project) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(
            path: project.folder.appending(path: "flags.history.sqlite").path, configuration: configuration)
    }

    func hold() throws { try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") } }
    func letGo() throws { try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }
}

@Suite("A history that another process holds")
struct BusyHistoryTests {
    let project: Project
    private let second: URL
    private let limit = FlagKeyPath.of("checkout", "limit")

    init() throws {
        project = try Project()
        second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
    }

    private func service(
        _ options: ChangeService.Options, busyTimeout: Duration = .milliseconds(30)
    ) throws -> ChangeService {
        var options = options
        options.busyTimeout = busyTimeout
        let others = [FlagFiles.Provider(name: "Second", url: second, isWritable: true)]
        return try ChangeService(files: FlagFiles(values: project.file, others: others), options: options)
    }

    private var batch: [Change] {
        [
            Change(key: limit, action: .setText("6")), Change(key: limit, action: .setText("7"), provider: "Second"),
            Change(key: limit, action: .lock),
        ]
    }

    private func contents() throws -> [Data] {
        try [project.file, second, project.manifestFile].map { try Data(contentsOf: $0) }
    }

    @Test("At the first transaction, nothing is done, and the changes can be made as soon as it is free")
    func busyAtFirst() async throws {
        let service = try service(ChangeService.Options(clock: { Project.now }))
        let before = try contents()
        let holder = try HistoryHolder(project)
        try holder.hold()
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author))
        }
        #expect(refusal.cause.reason == .unavailable)
        #expect(refusal.description.contains("locked by another process"))
        #expect(try contents() == before)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml", "second.xml"])
        try holder.letGo()
        #expect(try await service.apply(ChangeRequest(batch, by: Project.author)).count == 3)
    }

    @Test(
        "Reads go on while an edit from outside can't be recorded, and a change that waits is made after it",
        .timeLimit(.minutes(10)))
    func busyAtLook() async throws {
        // As good as for ever: nobody who only reads may wait for that.
        let service = try service(ChangeService.Options(clock: { Project.now }), busyTimeout: .seconds(100_000))
        let holder = try HistoryHolder(project)
        try holder.hold()
        try project.write(Project.values.replacing("<integer>5</integer>", with: "<integer>8</integer>"))
        for _ in 1...3 {
            let overview = try await service.overview()
            #expect(overview.catalogue[limit]?.resolution.effectiveValue == .integer(8))
            #expect(overview.fileProblems.contains { $0.detail.contains("locked by another process") })
        }
        async let change = service.apply(Change(key: limit, action: .setText("9")), by: Project.author)
        #expect(try await service.overview().catalogue[limit]?.resolution.effectiveValue == .integer(8))
        try holder.letGo()
        _ = try await change
        #expect(try await service.overview().fileProblems.isEmpty)
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
        #expect(try service.rows().map(\.event.after) == [.integer(8), .integer(9)])
    }

    @Test("At the second transaction, every file is put back, and the next change says that nothing was done")
    func busyAtSecond() async throws {
        let holder = try { () throws in
            _ = try project.service()
            return try HistoryHolder(project)
        }()
        var options = ChangeService.Options(clock: { Project.now })
        let isFirst = Counter()
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            try AtomicFile.synchronizeFolder(of: url)
            guard isFirst.add() == 1 else { return }
            do { try holder.hold() } catch { Issue.record(error) }
        }
        let before = try contents()
        let service = try service(options)
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author))
        }
        #expect(refusal.cause.remedy.contains("restored"))
        #expect(try contents() == before)
        #expect(try await !service.fileProblems().isEmpty)
        #expect(try service.rows().isEmpty)
        try holder.letGo()
        _ = try await service.apply(batch[0], by: Project.author)
        #expect(try service.rows().map(\.event.kind) == [.aborted, .aborted, .aborted, .set])
        #expect(try await service.fileProblems().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml", "second.xml"])
    }
}
