import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

/// How much is written at once; `FLAGBOARD_WRITERS=50x200+5` asks for the whole.
private struct Load {
    var writers = 50
    var edits = 20
    var outside = 3

    init() {
        let numbers = (ProcessInfo.processInfo.environment["FLAGBOARD_WRITERS"] ?? "").split { !$0.isNumber }
        guard numbers.count == 3, let writers = Int(numbers[0]), let edits = Int(numbers[1]),
            let outside = Int(numbers[2])
        else { return }
        self = Load(writers, edits, outside)
    }

    private init(_ writers: Int, _ edits: Int, _ outside: Int) {
        (self.writers, self.edits, self.outside) = (writers, edits, outside)
    }
}

@Suite("Many writers at once")
struct WritersTests {
    private let load = Load()
    /// How many of the writers also count one flag up together.
    private static let sharers = 6

    /// Another program that replaces the file, at one stroke and without taking turns, as an editor does: it may meet a
    /// file that has changed since it read it, and then overwrites that with what it made of the old one.
    ///
    /// So that nothing of that kind is lost to the test, it edits as `git` and careful editors do: it swaps, and where
    /// what it displaced is not what it read, it swaps back and tries again.
    private static func edit(_ file: URL, _ key: FlagKeyPath, _ number: Int) throws {
        while true {
            let read = try AtomicFile.read(file)
            let edited = try PropertyListDocument(source: read.data).setting(.integer(Int128(number)), at: key)
            let replacement = FileReplacement(
                url: file, temporary: try AtomicFile.writeTemporary(edited.source, beside: file), exchanges: true)
            defer { replacement.discard { Issue.record("\($0)") } }
            try replacement.install()
            if try AtomicFile.read(replacement.temporary).data == read.data { return }
            _ = try replacement.takeBack(edited.source)
        }
    }

    @Test("Every change has one row, none is lost, every page is of one moment, and every outside edit is recorded")
    func losesNothing() async throws {
        let flags = (0..<load.writers).map { ("w\($0)", "integer", "") } + [("shared", "integer", "")]
        let project = try Project(
            values: Project.plist("<key>shared</key><integer>0</integer>"), manifest: Project.manifest(flags))
        let service = try project.service()
        let made = Counter()
        let shared = FlagKeyPath.of("shared")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<load.writers {
                group.addTask {
                    for number in 1...load.edits {
                        try await Self.change(service, .of("w\(writer)"), { _ in number }, "\(writer)", made)
                        if number % 4 == 0, writer < Self.sharers {
                            try await Self.change(service, shared, { $0 + 1 }, "\(writer)", made)
                        }
                    }
                }
            }
            for program in 0..<load.outside {
                group.addTask {
                    for number in 1...load.edits { try Self.edit(project.file, .of("outside", "p\(program)"), number) }
                }
            }
            group.addTask {
                var last: Int128 = 0
                for _ in 1...load.edits * 4 {
                    let held = try await service.catalogue()[shared]?.resolution.effectiveValue
                    guard case .integer(let number) = held else {
                        Issue.record("a page shows \(String(describing: held))")
                        return
                    }
                    #expect(number >= last, "a page went back in time")
                    last = number
                }
            }
            try await group.waitForAll()
        }
        _ = try await service.overview()
        let rows = try Self.all(service)
        let changes = rows.filter { $0.event.kind == .set }
        #expect(changes.count == made.value)
        #expect(rows.count == changes.count + rows.count { $0.event.kind == .external })
        let document = try PropertyListDocument(source: Data(contentsOf: project.file))
        for writer in 0..<load.writers {
            #expect(try document.value(at: .of("w\(writer)")) == .integer(Int128(load.edits)))
            let own = changes.filter { $0.event.key == .of("w\(writer)") }.map(\.event.after)
            #expect(own == (1...load.edits).map { .integer(Int128($0)) })
        }
        // Each of the shared flag's changes is one more than the one before it: no update was lost.
        let count = Self.sharers * (load.edits / 4)
        #expect(try document.value(at: shared) == .integer(Int128(count)))
        let counted = changes.filter { $0.event.key == shared }.map(\.event.after)
        #expect(counted == (1...count).map { .integer(Int128($0)) })
        for program in 0..<load.outside {
            let key = FlagKeyPath.of("outside", "p\(program)")
            #expect(try document.value(at: key) == .integer(Int128(load.edits)))
            #expect(rows.last { $0.event.key == key }?.event.after == .integer(Int128(load.edits)))
        }
        Self.checkContinuous(rows)
        if case .broken(let row, let reason) = try service.history.verifyChain() { Issue.record("\(row): \(reason)") }
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
        guard case .sound(let coverage, _) = try HistoryAudit.run(service.files) else {
            Issue.record("the history is not sound")
            return
        }
        #expect(coverage.head == (try service.history.chainHead()))
    }

    /// Sets a flag to what follows from its value, again where somebody else was faster.
    private static func change(
        _ service: ChangeService, _ key: FlagKeyPath, _ next: @Sendable (Int) -> Int, _ name: String, _ made: Counter
    ) async throws {
        let author = ChangeAuthor(name: name, role: .editor, origin: .api)
        while true {
            let entry = try await service.catalogue()[key]
            var held = 0
            if case .integer(let number) = entry?.resolution.effectiveValue { held = Int(number) }
            let change = Change(
                key: key, action: .setText("\(next(held))"), revision: entry?.revisions["Local"])
            do throws(ChangeRefusal) {
                _ = try await service.apply(change, by: author)
                made.add()
                return
            } catch {
                // An outside editor that is too fast is answered as such; a conflict is looked at again.
                guard error.conflict != nil || error.reason == .unavailable else { throw error }
            }
        }
    }

    /// Each flag's rows follow from one another: what one left, the next one found.
    private static func checkContinuous(_ rows: [HistoryRecord]) {
        for (key, rows) in Dictionary(grouping: rows, by: \.event.key) {
            for (row, next) in zip(rows, rows.dropFirst()) where row.event.after != next.event.before {
                Issue.record("\(key): row \(row.id) left another value than row \(next.id) found")
            }
        }
    }

    private static func all(_ service: ChangeService) throws -> [HistoryRecord] {
        var rows: [HistoryRecord] = []
        while case let more = try service.history.records(matching: HistoryQuery(), after: rows.last?.id ?? 0),
            !more.isEmpty
        {
            rows += more
        }
        return rows
    }
}
