import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import TestClock
import Testing

@testable import FlagChanges

/// Edits that nobody asks about: the service finds them by itself.
@Suite("Watching files", .timeLimit(.minutes(10)))
struct WatchingTests {
    let project: Project
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    /// Runs a body while a service watches its files; the body gets the updates.
    private func watched(
        _ options: ChangeService.Options = ChangeService.Options(clock: { Project.now }),
        _ body: (ChangeService, inout ServiceUpdates.Iterator) async throws -> Void
    ) async throws {
        let service = try project.service(options)
        var updates = try await service.updates().makeAsyncIterator()
        let watch = Task { await service.watch() }
        try await body(service, &updates)
        watch.cancel()
        await watch.value
    }

    private func values(_ limit: Int) -> String {
        Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>\(limit)<")
    }

    @Test("An edit is recorded without any request, and told to whoever follows")
    func recordsWithoutRequest() async throws {
        try await watched { service, updates in
            try project.write(values(8))
            let update = try #require(await updates.next())
            #expect(update.keys == [key])
            #expect(update.lastRow == 1)
            #expect(!update.changesObstacles)
            #expect(try service.rows().map(\.event.after) == [.integer(8)])
        }
    }

    @Test("A broken file and its repair are told as fileProblems that come and go")
    func tellsObstacles() async throws {
        var options = ChangeService.Options()
        options.halfWrittenPatience = .zero
        try await watched(options) { service, updates in
            for text in ["<plist>", Project.values] {
                try project.write(text)
                let update = try #require(await updates.next())
                #expect(update.changesObstacles)
                #expect(update.keys == [])
            }
            #expect(try await service.fileProblems().isEmpty)
        }
    }

    @Test("Each consumer is told of our own changes too, and of nothing that concerns an internal flag")
    func tellsOwnChanges() async throws {
        let service = try project.service(showsInternal: false)
        var first = try await service.updates().makeAsyncIterator()
        var second = try await service.updates().makeAsyncIterator()
        try project.write(Project.values.replacingOccurrences(of: "secret", with: "other"))
        _ = try await service.overview()
        _ = try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        for update in [await first.next(), await second.next()] {
            #expect(update?.keys == [key])
            #expect(update?.lastRow == 2)
        }
    }

    @Test("A flag that becomes internal is told to those who follow, as one that is gone, and never again")
    func tellsBecomingInternal() async throws {
        let service = try project.service(showsInternal: false)
        var updates = try await service.updates().makeAsyncIterator()
        let definition = FlagDefinition(
            key: key, type: .integer, metadata: FlagMetadata(isInternal: true))
        _ = try await service.apply(
            Change(key: key, action: .redefine(DefinitionEdit(definition))), by: Project.author)
        let update = await updates.next()
        #expect(update?.keys == [key] && update?.lastRow == 1)
        try project.write(values(8))
        _ = try await service.overview()
        let other = FlagKeyPath.of("checkout", "enabled")
        _ = try await service.apply(Change(key: other, action: .setText("false")), by: Project.author)
        #expect(await updates.next()?.keys == [other])
    }

    @Test("What a slow consumer has not asked for is told at once, and past a limit without the keys")
    func coalesces() async throws {
        let feed = UpdateFeed()
        var updates: ServiceUpdates.Iterator? = feed.add().makeAsyncIterator()
        for number in 1...3 {
            feed.tell(
                ServiceUpdate(keys: [.of("a\(number)")], lastRow: Int64(number), changesObstacles: number == 2))
        }
        let one = try #require(await updates?.next())
        #expect(one.keys == [.of("a1"), .of("a2"), .of("a3")])
        #expect(one.lastRow == 3 && one.changesObstacles)
        for number in 1...ServiceUpdate.maximumKeys + 1 {
            feed.tell(ServiceUpdate(keys: [.of("a\(number)")], lastRow: 4, changesObstacles: false))
        }
        let many = try #require(await updates?.next())
        #expect(many.keys == nil)
        #expect(!many.changesObstacles)
        #expect(!feed.isUnheard)
        updates = nil
        #expect(feed.isUnheard)
    }

    @Test("More rows than are told one by one are told without the keys, also where they are of fewer flags")
    func manyRows() async throws {
        let team = project.folder.appending(path: "team.xml")
        try Data(Project.plist("").utf8).write(to: team)
        let service = try project.service(others: [FlagFiles.Provider(name: "Team", url: team, isWritable: true)])
        var updates = try await service.updates().makeAsyncIterator()
        let count = ServiceUpdate.maximumKeys / 2 + 1
        let values = Project.plist((0..<count).map { "<key>a\($0)</key><integer>1</integer>" }.joined())
        try project.write(values)
        try Data(values.utf8).write(to: team)
        _ = try await service.overview()
        let update = try #require(await updates.next())
        #expect(update.keys == nil)
        #expect(update.lastRow > Int64(ServiceUpdate.maximumKeys))
    }

    @Test("A thousand edits in a second are taken up in a few looks, and the last one stands")
    func burst() async throws {
        try await watched { service, updates in
            for number in 1...1000 { try project.write(values(number)) }
            while true {
                _ = try #require(await updates.next())
                let rows = try service.rows()
                let after = rows.map(\.event.after)
                guard after.last == .integer(1000) else { continue }
                // Each row begins where the one before ended: no state is told that was not seen.
                #expect(rows.map(\.event.before) == [.integer(5)] + after.dropLast())
                #expect(rows.count < 1000)
                break
            }
        }
    }

    @Test("A look that came while a change was under way is made up for when it is done")
    func looksAfterRound() async throws {
        let gate = Gate()
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            gate.pass()
            try AtomicFile.synchronizeFolder(of: url)
        }
        let service = try project.service(options)
        await service.served.watchNothing()
        var looks = await service.served.watcher.changes().makeAsyncIterator()
        async let outcome = service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        await gate.waitUntilReached()
        // Not before its row is durable does anybody see the change.
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(5))
        gate.open()
        _ = try await outcome
        #expect(await looks.next() != nil)
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(6))
    }

    @Test("A change that is recorded and not yet shown when somebody begins to follow is told once it is shown")
    func tellsRoundUnderWay() async throws {
        let gate = Gate()
        var options = ChangeService.Options(clock: { Project.now })
        options.recorded = { _ in gate.pass() }
        let service = try project.service(options)
        async let outcome = service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        await gate.waitUntilReached()
        var updates = try await service.updates().makeAsyncIterator()
        let overview = try await service.overview()
        #expect(overview.lastRow == 0 && overview.catalogue[key]?.resolution.effectiveValue == .integer(5))
        gate.open()
        _ = try await outcome
        // The next change is told with it, where it was not told by itself.
        _ = try await service.apply(
            Change(key: .of("checkout", "enabled"), action: .setText("false")), by: Project.author)
        #expect(await updates.next()?.keys?.contains(key) == true)
    }

    @Test("Where files can't be watched, they are looked at every second")
    func polls() async throws {
        let clock = ManualClock()
        var options = ChangeService.Options(clock: { Project.now })
        options.waitingClock = clock
        let service = try project.service(options)
        await service.served.watchNothing()
        var updates = try await service.updates().makeAsyncIterator()
        let watch = Task { await service.watch() }
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == .seconds(1))
        try project.write(values(8))
        clock.advance(by: .seconds(1))
        #expect(await updates.next()?.keys == [key])
        watch.cancel()
        await watch.value
    }
}

extension ServedFiles {
    /// Has the service believe that it can't watch its files.
    fileprivate func watchNothing() { watcher = FileWatcher(files.watched) { _, _ in nil } }
}
