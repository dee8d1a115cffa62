import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Synchronization
import Testing

@testable import FlagChanges

/// Two releases of one values file and a link to the one in use, as a deployment leaves them.
private final class Releases: Sendable {
    let project: Project

    init() throws {
        project = try Project(values: nil, manifest: nil)
        for (name, limit) in [("one", 5), ("two", 7)] {
            try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
            try Data(Project.values.replacing("<integer>5<", with: "<integer>\(limit)<").utf8).write(to: file(name))
        }
        try point(to: "one")
    }

    func folder(_ name: String) -> URL { project.folder.appending(path: name) }
    func file(_ name: String) -> URL { folder(name).appending(path: "flags.xml") }
    var given: URL { file("current") }
    var history: URL { project.folder.appending(path: "kept.sqlite") }

    /// Points the link elsewhere at one stroke.
    func point(to name: String) throws {
        let (new, link) = (folder("new-\(UUID().uuidString)"), folder("current"))
        #expect(symlink(name, new.path) == 0)
        #expect(rename(new.path, link.path) == 0)
    }

    func options() -> ChangeService.Options {
        var options = ChangeService.Options(clock: { Project.now })
        options.halfWrittenPatience = .zero
        return options
    }

    func service(_ options: ChangeService.Options? = nil, history: URL?) throws -> ChangeService {
        try ChangeService(files: FlagFiles(values: given, history: history), options: options ?? self.options())
    }

    func text(_ name: String) throws -> String { String(decoding: try Data(contentsOf: file(name)), as: UTF8.self) }
}

@Suite("A link that is pointed elsewhere while its file is served")
struct RepointedLinkTests {
    private let releases: Releases
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { releases = try Releases() }

    private func set(_ service: ChangeService, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
    }

    private func value(_ service: ChangeService) async throws -> FlagValue? {
        try await service.catalogue()[key]?.resolution.effectiveValue
    }

    @Test("It is followed: what differs is recorded as edited outside, and changes go where the path leads")
    func follows() async throws {
        let service = try releases.service(history: releases.history)
        _ = try await set(service, "6")
        let left = try releases.text("one")
        try releases.point(to: "two")
        #expect(try await value(service) == .integer(7))
        _ = try await set(service, "8")
        #expect(try releases.text("two").contains("<integer>8<"))
        #expect(try releases.text("one") == left)
        let rows = try service.rows().map(\.event)
        #expect(rows.map(\.kind) == [.set, .external, .set])
        #expect(rows.map(\.before) == [.integer(5), .integer(6), .integer(7)])
        #expect(rows.map(\.after) == [.integer(6), .integer(7), .integer(8)])
        // Back again, as a deployment that went wrong is taken back.
        try releases.point(to: "one")
        #expect(try await value(service) == .integer(6))
        #expect(try service.rows().last?.event.before == .integer(8))
        #expect(try service.rows().last?.event.after == .integer(6))
        let audit = try HistoryAudit.run(service.files)
        guard case .sound(_, let unknown) = audit else {
            Issue.record("\(audit)")
            return
        }
        #expect(unknown.isEmpty)
    }

    @Test("The first change after that goes into the new file, though nothing was read before it")
    func changesAtOnce() async throws {
        let service = try releases.service(history: releases.history)
        let left = try releases.text("one")
        try releases.point(to: "two")
        _ = try await set(service, "9")
        #expect(try releases.text("one") == left)
        #expect(try releases.text("two").contains("<integer>9<"))
    }

    @Test("The folder of before may be gone")
    func oldFolderGone() async throws {
        let service = try releases.service(history: releases.history)
        _ = try await set(service, "6")
        try releases.point(to: "two")
        try FileManager.default.removeItem(at: releases.folder("one"))
        _ = try await set(service, "8")
        #expect(try await service.fileProblems().isEmpty)
        #expect(try await value(service) == .integer(8))
    }

    @Test("The lock of the new file is taken, and that of the one before is left to others")
    func locks() async throws {
        let service = try releases.service(history: releases.history)
        try await service.announce("http://127.0.0.1:9/")
        try releases.point(to: "two")
        _ = try await service.overview()
        let direct = FlagFiles(values: releases.file("two"))
        let error = try #require(throws: ChangeServiceStartError.self) { try ChangeService(files: direct) }
        #expect(error.description.contains("http://127.0.0.1:9/"))
        _ = try ChangeService(files: FlagFiles(values: releases.file("one")))
        #expect(RunningServer.find(direct)?.name.contains("http://127.0.0.1:9/") == true)
    }

    @Test("Where another process serves the new file, its values are shown and changes are refused until that one ends")
    func heldByOther() async throws {
        let service = try releases.service(history: releases.history)
        var other: ChangeService? = try ChangeService(files: FlagFiles(values: releases.file("two")))
        try releases.point(to: "two")
        #expect(try await value(service) == .integer(7))
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "8") }
        let path = AtomicFile.target(of: releases.file("two")).path
        #expect(refusal.description.contains("\(path) is already served by"))
        #expect(await !service.health().takesChanges)
        withExtendedLifetime(other) {}
        other = nil
        _ = try await set(service, "8")
        #expect(await service.health().takesChanges)
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
    }

    @Test("With the history beside the values no change is taken: the path leads to another history, which is said")
    func historyBesideValues() async throws {
        let service = try releases.service(history: nil)
        _ = try await set(service, "6")
        try releases.point(to: "two")
        #expect(try await value(service) == .integer(7))
        let two = try releases.text("two")
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "8") }
        #expect(refusal.description.contains("two/flags.history.sqlite") && refusal.description.contains("--history"))
        #expect(try releases.text("two") == two)
        #expect(try service.rows().count == 1)
        #expect(await !service.health().takesChanges)
        // Nothing is in the way of a reader, also without the folder of before.
        try FileManager.default.moveItem(at: releases.folder("one"), to: releases.folder("away"))
        #expect(try await value(service) == .integer(7))
        #expect(await service.health().isReady)
        try FileManager.default.moveItem(at: releases.folder("away"), to: releases.folder("one"))
        try releases.point(to: "one")
        _ = try await set(service, "8")
        #expect(try service.rows().map(\.event.after) == [.integer(6), .integer(8)])
    }

    @Test("The path of the history counts as well")
    func historyBehindLink() async throws {
        for name in ["one", "two"] {
            try FileManager.default.createDirectory(
                at: releases.folder("\(name)/state"), withIntermediateDirectories: false)
        }
        let service = try ChangeService(
            files: FlagFiles(
                values: releases.file("two"), history: releases.folder("current/state/kept.sqlite")),
            options: releases.options())
        try releases.point(to: "two")
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "8") }
        #expect(refusal.description.contains("two/state/kept.sqlite"))
        try releases.point(to: "one")
        _ = try await set(service, "8")
    }

    @Test("The definitions of the new folder count: its locks hold, and what it defines can be changed")
    func manifestFollows() async throws {
        try Data(Project.manifest(without: "checkout/region").utf8)
            .write(to: releases.folder("one/flags.manifest.xml"))
        try Data(Project.manifest.utf8).write(to: releases.folder("two/flags.manifest.xml"))
        let service = try releases.service(history: releases.history)
        let region = FlagKeyPath.of("checkout", "region")
        try releases.point(to: "two")
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: region, action: .setText("south")), by: Project.author)
        }
        #expect(refusal.reason == .locked)
        _ = try await service.apply(Change(key: region, action: .unlock), by: Project.author)
        let two = try String(contentsOf: releases.folder("two/flags.manifest.xml"), encoding: .utf8)
        #expect(!two.contains("<key>isLocked</key><true/>"))
        #expect(try service.rows().contains { $0.event.kind == .external && $0.event.key == region })
    }

    @Test("Between two states of Kubernetes' links, each file is followed for itself")
    func kubernetes() async throws {
        let files = FileManager.default
        let volume = releases.project.folder.appending(path: "volume")
        for (name, source) in [("..one", "one"), ("..two", "two")] {
            try files.createDirectory(at: volume.appending(path: name), withIntermediateDirectories: true)
            try files.copyItem(at: releases.file(source), to: volume.appending(path: "\(name)/flags.xml"))
        }
        try files.createSymbolicLink(
            atPath: volume.appending(path: "..data").path, withDestinationPath: "..one")
        try files.createSymbolicLink(
            atPath: volume.appending(path: "flags.xml").path, withDestinationPath: "..data/flags.xml")
        let service = try ChangeService(
            files: FlagFiles(values: volume.appending(path: "flags.xml"), history: releases.history),
            options: releases.options())
        #expect(try await value(service) == .integer(5))
        #expect(symlink("..two", volume.appending(path: "..data_tmp").path) == 0)
        #expect(rename(volume.appending(path: "..data_tmp").path, volume.appending(path: "..data").path) == 0)
        try files.removeItem(at: volume.appending(path: "..one"))
        #expect(try await value(service) == .integer(7))
        #expect(try await service.fileProblems().isEmpty)
    }

    @Test("A large file behind it is read beside the requests, as one that was edited is")
    func largeFile() async throws {
        let gate = Gate()
        var options = releases.options()
        (options.largestEditAtOnce, options.patienceOfReaders) = (0, .zero)
        options.recorded = { _ in gate.pass() }
        let service = try releases.service(options, history: releases.history)
        #expect(try await value(service) == .integer(5))
        try releases.point(to: "two")
        #expect(try await value(service) == .integer(5))
        await gate.waitUntilReached()
        #expect(try await service.fileProblems() == [LargeEdit.fileProblem])
        #expect(await service.health().isReady)
        gate.open()
        try await until { try await value(service) == .integer(7) }
        #expect(try await set(service, "9") != .unchanged)
        #expect(try releases.text("two").contains("<integer>9<") && releases.text("one").contains("<integer>5<"))
    }

    @Test(
        "Of several files behind it, those that are there are followed while one leads to nothing, and that one once it is there"
    )
    func oneMissing() async throws {
        for name in ["one", "two"] {
            try Data(Project.plist("<key>other</key><true/>").utf8)
                .write(to: releases.folder(name).appending(path: "second.xml"))
        }
        let second = FlagFiles.Provider(
            name: "Second", url: releases.folder("current").appending(path: "second.xml"), isWritable: true)
        let service = try ChangeService(
            files: FlagFiles(values: releases.given, history: releases.history, others: [second]),
            options: releases.options())
        #expect(try await value(service) == .integer(5))
        let text = try Data(contentsOf: releases.file("two"))
        try FileManager.default.removeItem(at: releases.file("two"))
        try releases.point(to: "two")
        let other = Change(key: .of("other"), action: .setText("false"), provider: "Second")
        #expect(try await service.apply(other, by: Project.author) != .unchanged)
        #expect(try await value(service) == .integer(5), "the last good value")
        await #expect(throws: ChangeError.self) { try await set(service, "9") }
        // The other file's lock is held where it is now.
        #expect(throws: ChangeServiceStartError.self) {
            try ChangeService(files: FlagFiles(values: releases.folder("two").appending(path: "second.xml")))
        }
        try text.write(to: releases.file("two"))
        #expect(try await value(service) == .integer(7))
        #expect(try await set(service, "9") != .unchanged)
        let rows = try service.rows().map(\.event)
        #expect(rows.map(\.origin) == [.form, .external, .form] && rows.map(\.key) == [.of("other"), key, key])
    }

    @Test("Commands find who serves it by the given path, even while changes behind it are refused")
    func found() async throws {
        var options = releases.options()
        options.servedFolder = releases.folder("entries")
        let service = try releases.service(options, history: nil)
        try await service.announce("http://127.0.0.1:9/", answersSocket: true)
        try releases.point(to: "two")
        await #expect(throws: ChangeError.self) { try await set(service, "9") }
        let files = FlagFiles(values: releases.given)
        let found = try #require(RunningServer.find(files, in: options.servedFolder))
        #expect(found.socket == service.socket && found.socket != nil)
        #expect(found.companions?.history.path == service.files.history.path)
        // Whoever has locked the file goes first.
        let owner = try ChangeService(files: FlagFiles(values: releases.file("two")), options: options)
        try await owner.announce("http://127.0.0.1:10/", answersSocket: true)
        #expect(RunningServer.find(files, in: options.servedFolder)?.socket == owner.socket)
        withExtendedLifetime(service) {}
    }

    @Test("It is noticed without a request")
    func watched() async throws {
        let service = try releases.service(history: releases.history)
        let watch = Task { await service.watch() }
        defer { watch.cancel() }
        var updates = try await service.updates().makeAsyncIterator()
        try releases.point(to: "two")
        #expect(await updates.next()?.keys?.contains(key) == true)
        // The watch has moved along.
        let edited = try releases.text("two").replacing("<integer>7<", with: "<integer>3<")
        try Data(edited.utf8).write(to: releases.file("two"), options: .atomic)
        #expect(await updates.next()?.keys?.contains(key) == true)
        #expect(try service.rows().map(\.event.after) == [.integer(7), .integer(3)])
    }

    /// When a link is pointed elsewhere, beside the swap of a file.
    enum Moment: CaseIterable { case before, after }

    @Test(
        "A link that is pointed elsewhere at the very moment of a change takes the change along",
        arguments: Moment.allCases)
    func atTheMoment(moment: Moment) async throws {
        var options = releases.options()
        let isDue = Mutex(true)
        let exchange = options.actions.exchange
        options.actions.exchange = { [releases] (temporary, url) throws(FileAccessError) in
            let isNow = isDue.withLock { isDue in
                defer { isDue = false }
                return isDue
            }
            func point() {
                guard isNow else { return }
                #expect(throws: Never.self) { try releases.point(to: "two") }
            }
            if moment == .before { point() }
            try exchange(temporary, url)
            if moment == .after { point() }
        }
        let service = try releases.service(options, history: releases.history)
        let one = try releases.text("one")
        _ = try await set(service, "9")
        #expect(try releases.text("one") == one)
        #expect(try releases.text("two").contains("<integer>9<"))
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
        #expect(try service.history.openIntents().isEmpty)
    }

    @Test("Swaps under load: each change that was acknowledged is in the history, whose rows follow from one another")
    func underLoad() async throws {
        let service = try releases.service(history: releases.history)
        let watch = Task { await service.watch() }
        let isDone = Mutex(false)
        let releases = releases
        let swaps = Task.detached {
            var count = 0
            while !isDone.withLock(\.self) {
                try releases.point(to: count.isMultiple(of: 2) ? "two" : "one")
                count += 1
                await Task.yield()
            }
            return count
        }
        var acknowledged: [(key: FlagKeyPath, id: HistoryRecord.ID, value: FlagValue)] = []
        for number in 0..<40 {
            let key = number.isMultiple(of: 3) ? FlagKeyPath.of("options", "depth") : key
            do throws(ChangeError) {
                let outcome = try await service.apply(
                    Change(key: key, action: .setText("\(number + 100)")), by: Project.author)
                if case .applied(let row) = outcome {
                    acknowledged.append((key, row.id, .integer(Int128(number + 100))))
                }
            } catch {
                // One that met too many swaps is refused, and nothing of it is anywhere.
                #expect(error.isOfStorage)
            }
        }
        isDone.withLock { $0 = true }
        #expect(try await swaps.value > 0)
        watch.cancel()
        await watch.value
        _ = try await service.overview()
        let rows = try service.rows()
        #expect(!acknowledged.isEmpty)
        for (key, id, value) in acknowledged {
            let row = try #require(rows.first { $0.id == id })
            #expect(row.event.key == key && row.event.after == value && row.event.kind == .set)
        }
        var held: [FlagKeyPath: FlagValue] = [:]
        for row in rows where row.event.kind != .aborted {
            if let before = held[row.event.key] { #expect(row.event.before == before) }
            held[row.event.key] = row.event.after
        }
        for (key, value) in held {
            #expect(try await service.catalogue()[key]?.resolution.effectiveValue == value)
        }
        let audit = try HistoryAudit.run(service.files)
        guard case .sound = audit else {
            Issue.record("\(audit)")
            return
        }
        let leftovers = try ["one", "two"].flatMap { name in
            try FileManager.default.contentsOfDirectory(atPath: releases.folder(name).path).filter {
                $0.hasSuffix(".tmp")
            }
        }
        #expect(leftovers.isEmpty)
    }

    private func keepIntents(_ sql: String) throws {
        let queue = try DatabaseQueue(path: releases.history.path)
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
    }

    @Test("A change that is neither done nor taken back is settled where it was made, and the link is followed then")
    func unsettled() async throws {
        let service = try releases.service(history: releases.history)
        try keepIntents("CREATE TRIGGER keep BEFORE DELETE ON intent BEGIN SELECT RAISE(ABORT, 'intents stay'); END")
        await #expect(throws: ChangeError.self) { try await set(service, "6") }
        try releases.point(to: "two")
        #expect(await service.health().hasOpenChange)
        try keepIntents("DROP TRIGGER keep")
        try await until {
            let isFollowed = try await value(service) == .integer(7)
            return try await service.fileProblems().isEmpty && isFollowed
        }
        _ = try await set(service, "8")
        #expect(try releases.text("one") == Project.values)
        #expect(try releases.text("two").contains("<integer>8<"))
        #expect(try service.history.openIntents().isEmpty)
    }
}
