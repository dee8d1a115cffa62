import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import GRDB
import Testing

@testable import FlagChanges

@Suite("Changes that wait")
struct QueueTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")

    init() throws { project = try Project() }

    private func set(_ service: ChangeService, _ key: FlagKeyPath, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
    }

    /// Options in which the first round stops right before, or right after, it replaces the file.
    private func options(
        before gate: Gate? = nil, after late: Gate? = nil, counting rounds: Counter = Counter()
    ) -> ChangeService.Options {
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            gate?.pass()
            rounds.add()
            try AtomicFile.exchange(temporary, with: url)
            late?.pass()
        }
        return options
    }

    /// Makes changes of which all but the first share the second round: the first is held until the others wait.
    private func together(
        _ service: ChangeService, _ gate: Gate, _ changes: [Change], author: ChangeAuthor = Project.author
    ) async throws -> [Result<ChangeOutcome, ChangeError>] {
        let first = Task { try await set(service, .of("checkout", "fast"), "false") }
        await gate.waitUntilReached()
        var tasks: [Task<Result<ChangeOutcome, ChangeError>, Never>] = []
        for change in changes {
            tasks.append(
                Task {
                    do throws(ChangeError) {
                        return .success(try await service.apply(change, by: author))
                    } catch {
                        return .failure(error)
                    }
                })
            await until { await service.queue.waiting.count == tasks.count }
        }
        gate.open()
        _ = try await first.value
        var results: [Result<ChangeOutcome, ChangeError>] = []
        for task in tasks { results.append(await task.value) }
        return results
    }

    @Test("While another program has its turn, pages go on, and the change is made as soon as the turn ends")
    func pagesGoOnDuringTurn() async throws {
        let service = try project.service()
        let turn = try await FolderLock.take(beside: [project.file], until: .now)
        let change = Task { try await set(service, limit, "6") }
        await until { await service.queue.isLed }
        #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(5))
        #expect(try await service.exportedValues().data.count < Data(Project.values.utf8).count)
        try project.write(Project.values.replacingOccurrences(of: "nobody defined me", with: "edited"))
        #expect(try await service.catalogue()[.of("stray")]?.resolution.effectiveValue == .string("edited"))
        turn.end()
        _ = try await change.value
        #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(6))
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
    }

    @Test("A turn that another program never ends is given up, and nothing is changed")
    func endlessTurn() async throws {
        var options = ChangeService.Options(clock: { Project.now })
        options.patience = .milliseconds(20)
        let service = try project.service(options)
        let turn = try await FolderLock.take(beside: [project.file], until: .now)
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, limit, "6") }
        #expect(refusal.reason == .unavailable)
        #expect(refusal.description.contains("another program"))
        #expect(try project.text() == Project.values)
        turn.end()
        _ = try await set(service, limit, "6")
    }

    @Test("A page that comes while a change is half done shows the state of before, and blames nobody for the change")
    func pagesGoOnDuringRound() async throws {
        for isAfter in [false, true] {
            let project = try Project()
            let gate = Gate()
            let service = try project.service(isAfter ? options(after: gate) : options(before: gate))
            let change = Task { try await set(service, limit, "6") }
            await gate.waitUntilReached()
            #expect(try project.text().contains("<integer>6<") == isAfter)
            #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(5))
            #expect(try await service.fileProblems().isEmpty)
            gate.open()
            _ = try await change.value
            #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(6))
            #expect(try service.rows().map(\.event.kind) == [.set])
        }
    }

    @Test("Changes that wait share one replacement, in the order in which they came, and each has its row")
    func sharesRound() async throws {
        let (gate, rounds) = (Gate(), Counter())
        let service = try project.service(options(before: gate, counting: rounds))
        let changes = (1...9).map { Change(key: limit, action: .setText("\(10 - $0)"), reason: "\($0)") }
        let results = try await together(service, gate, changes)
        let rows = try service.rows()
        #expect(rounds.value == 2)
        #expect(rows.dropFirst().map(\.event.reason) == (1...9).map { "\($0)" })
        // The fifth sets the 5 that is no change of the 6 before it; each finds what the one before it left.
        #expect(results.map { try? $0.get() } == rows.dropFirst().map { .applied($0) })
        for (row, next) in zip(rows, rows.dropFirst()) {
            #expect(row.event.fileHashAfter == next.event.fileHashBefore)
        }
        #expect(rows.last?.event.fileHashAfter == ContentHash.sha256(try Data(contentsOf: project.file)))
        #expect(Set(rows.map(\.event.batch)).count == rows.count)
        #expect(try project.text().contains("<integer>1<"))
    }

    @Test("Each change of a group is checked against what those before it leave, and refused alone")
    func refusesAlone() async throws {
        let gate = Gate()
        let service = try project.service(options(before: gate))
        let revision = try #require(try await service.catalogue()[limit]?.revisions["Local"])
        let results = try await together(
            service, gate,
            [
                Change(key: limit, action: .setText("6"), revision: revision),
                Change(key: limit, action: .setText("7"), revision: revision),
                Change(key: .of("checkout", "region"), action: .reset),
                Change(key: limit, action: .setText("eleven")),
                Change(key: .of("nothing"), action: .reset),
                Change(key: enabled, action: .setText("false")),
                Change(key: enabled, action: .setText("false")),
                Change(key: limit, action: .lock),
                Change(key: limit, action: .setText("8")),
            ])
        #expect((try? results[0].get()) != nil && (try? results[5].get()) != nil && (try? results[7].get()) != nil)
        #expect(try results[6].get() == .unchanged)
        func refusal(_ place: Int) -> ChangeError? {
            if case .failure(let refusal) = results[place] { refusal } else { nil }
        }
        #expect(refusal(1)?.conflict?.theirs.value == .integer(6))
        #expect(refusal(1)?.conflict?.theirs.record?.event.key == limit)
        #expect([2, 3, 4, 8].map { refusal($0)?.reason } == [.locked, .invalid, .unknown, .locked])
        #expect(try service.rows().map(\.event.kind) == [.set, .set, .set, .lock, .denied, .denied])
    }

    @Test("Changes that undo each other leave the file alone and their rows in the history")
    func undoesInGroup() async throws {
        let (gate, rounds) = (Gate(), Counter())
        let service = try project.service(options(before: gate, counting: rounds))
        let changes = ["6", "5"].map { Change(key: limit, action: .setText($0)) }
        _ = try await together(service, gate, changes)
        #expect(rounds.value == 1)
        #expect(try service.rows().map(\.event.after) == [.bool(false), .integer(6), .integer(5)])
        #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(5))
        #expect(try service.rows().count == 3)
    }

    @Test("A change that the disk can't take does not fail those that wait with it")
    func isolatesFailure() async throws {
        let gate = Gate()
        var options = options(before: gate)
        let exchange = options.actions.exchange
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            if let text = try? String(contentsOf: temporary, encoding: .utf8), text.contains("too much") {
                try FileAccessError.failing()
            }
            try exchange(temporary, url)
        }
        let service = try project.service(options)
        let results = try await together(
            service, gate,
            [
                Change(key: limit, action: .setText("6")), Change(key: .of("stray"), action: .setText("too much")),
                Change(key: enabled, action: .setText("false")),
            ])
        #expect((try? results[0].get()) != nil && (try? results[2].get()) != nil)
        guard case .failure(let refusal) = results[1] else {
            Issue.record("what the disk can't take was taken")
            return
        }
        #expect(refusal.reason == .unavailable)
        #expect(try service.rows().map(\.event.key) == [.of("checkout", "fast"), limit, enabled])
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("A change whose asker has gone is made all the same")
    func survivesCancellation() async throws {
        let gate = Gate()
        let service = try project.service(options(before: gate))
        let running = Task { try await set(service, limit, "6") }
        await gate.waitUntilReached()
        let waiting = Task { try await set(service, enabled, "false") }
        await until { await service.queue.waiting.count == 1 }
        running.cancel()
        waiting.cancel()
        gate.open()
        _ = try await running.value
        _ = try await waiting.value
        #expect(try service.rows().map(\.event.key) == [limit, enabled])
        #expect(try project.text().contains("<integer>6<") && project.text().contains("<false/>"))
    }

    @Test("An outside edit that races a group is recorded, and each of the group is made, or meets it, on top")
    func racesGroup() async throws {
        let gate = Gate()
        var options = options(before: gate)
        let (exchange, count) = (options.actions.exchange, Counter())
        options.actions.exchange = { [project] temporary, url throws(FileAccessError) in
            if count.add() == 2 {
                do {
                    try project.write(project.text().replacingOccurrences(of: "<integer>5<", with: "<integer>9<"))
                } catch {
                    Issue.record(error)
                }
            }
            try exchange(temporary, url)
        }
        let service = try project.service(options)
        let revision = try #require(try await service.catalogue()[limit]?.revisions["Local"])
        let results = try await together(
            service, gate,
            [
                Change(key: limit, action: .setText("6"), revision: revision),
                Change(key: enabled, action: .setText("false")),
            ])
        guard case .failure(let refusal) = results[0] else {
            Issue.record("the outside edit was overwritten")
            return
        }
        #expect(refusal.conflict?.theirs.value == .integer(9))
        #expect(refusal.conflict?.theirs.record?.event.kind == .external)
        #expect((try? results[1].get()) != nil)
        #expect(try service.rows().map(\.event.kind) == [.set, .external, .set])
        #expect(try project.text().contains("<integer>9<") && project.text().contains("<false/>"))
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }
}
