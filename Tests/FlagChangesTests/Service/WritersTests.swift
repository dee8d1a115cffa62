import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Synchronization
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

    /// Held while the file is swapped, and by another program from its last look at the file on.
    private static let swap = Mutex(())

    /// Another program that replaces the file at one stroke, as an editor does, and asks nobody whether it may.
    ///
    /// It looks at the file before that and begins again where somebody else has written it, and nobody swaps in between:
    /// so it never overwrites what it hasn't read, and whatever is lost was lost by the service.
    private func edit(_ file: URL, _ key: FlagKeyPath, _ number: Int) throws {
        var isDone = false
        while !isDone {
            let read = try AtomicFile.read(file, maximumSize: .max)
            let edited = try PropertyListDocument(source: read.data).setting(.integer(Int128(number)), at: key)
            let temporary = try AtomicFile.writeTemporary(edited.source, beside: file)
            isDone = try Self.swap.withLock { _ in
                guard try AtomicFile.read(file, maximumSize: .max).data == read.data else { return false }
                try AtomicFile.exchange(temporary, with: file)
                return true
            }
            try FileManager.default.removeItem(at: temporary)
        }
    }

    @Test("Every change has one row, none is lost, every page is of one moment, and every outside edit is recorded")
    func losesNothing() async throws {
        let flags = (0..<load.writers).map { ("w\($0)", "integer", "") } + [("shared", "integer", "")]
        let project = try Project(
            values: Project.plist("<key>shared</key><integer>0</integer>"), manifest: Project.manifest(flags))
        let service = try project.service(options)
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
                    for number in 1...load.edits { try edit(project.file, .of("outside", "p\(program)"), number) }
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
        // An edit that crossed with two others at once may be kept beside the file instead, but it is in the history.
        let kept = try project.names().filter { $0.hasPrefix("flags.xml.overwritten-") }
        let documents = try kept.map {
            try PropertyListDocument(source: Data(contentsOf: project.folder.appending(path: $0)))
        }
        for program in 0..<load.outside {
            let key = FlagKeyPath.of("outside", "p\(program)")
            let last = FlagValue.integer(Int128(load.edits))
            #expect(try ([document] + documents).contains { try $0.value(at: key) == last })
            #expect(rows.contains { $0.event.key == key && $0.event.after == last })
            #expect(try rows.last { $0.event.key == key }?.event.after == document.value(at: key))
        }
        Self.checkContinuous(rows)
        if case .broken(let row, let reason) = try service.history.verifyChain() { Issue.record("\(row): \(reason)") }
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"] + kept)
        guard case .sound(let coverage, _) = try HistoryAudit.run(service.files) else {
            Issue.record("the history is not sound")
            return
        }
        #expect(coverage.head == (try service.history.chainHead()))
    }

    private var options: ChangeService.Options {
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            let swapped = Self.swap.withLock { _ in
                Result { () throws(FileAccessError) in try AtomicFile.exchange(temporary, with: url) }
            }
            try swapped.get()
        }
        return options
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
            do throws(ChangeError) {
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
