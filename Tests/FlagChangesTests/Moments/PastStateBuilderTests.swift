import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

@Suite("The flags of a moment of the past")
struct PastFlagsTests {
    /// A clock that a test sets.
    private final class SetClock: Sendable {
        private let time = Mutex(Project.now)

        var now: Date { time.withLock(\.self) }
        func set(_ date: Date) { time.withLock { $0 = date } }
        func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    private let project: Project
    private let second: URL
    private let clock = SetClock()
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")

    init() throws {
        project = try Project()
        second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
    }

    private func service(showsInternal: Bool = false, servesSecond: Bool = true) throws -> ChangeService {
        let clock = clock
        var options = ChangeService.Options(showsInternal: showsInternal, clock: { clock.now })
        options.halfWrittenPatience = .zero
        let others = servesSecond ? [FlagFiles.Provider(name: "Second", url: second, isWritable: true)] : []
        return try ChangeService(files: FlagFiles(values: project.file, others: others), options: options)
    }

    private func at(_ date: Date, _ service: ChangeService) async throws -> PastState {
        try #require(try await service.flags(at: .time(date)))
    }

    /// What each provider holds for each flag, and what a read returns, as text that can be compared.
    private static func described(_ catalogue: FlagCatalogue) -> [String: String] {
        var lines: [String: String] = [:]
        for entry in catalogue.entries {
            let answers = entry.resolution.readings.map { reading in
                "\(reading.provider) \(text(reading.answer.stored))"
            }
            lines[entry.key.text] =
                "\(entry.definition.type) \(entry.isDefined) \(answers) \(text(entry.resolution.effectiveValue))"
        }
        return lines
    }

    private static func text(_ value: FlagValue?) -> String { value.map { FlagJSON.text($0) } ?? "nothing" }

    /// Where flags are not what they are to be.
    private static func differences(_ catalogue: FlagCatalogue, _ wanted: [String: String]) -> [String] {
        let found = described(catalogue)
        return Set(found.keys).union(wanted.keys).sorted().filter { found[$0] != wanted[$0] }.map { key in
            "\(key): \(found[key] ?? "not there"), wanted \(wanted[key] ?? "not there")"
        }
    }

    @Test("At each of 200 instants the flags are those that were there, whoever changed them since")
    func randomChanges() async throws {
        var random = SplitMix(seed: 1)
        let service = try service()
        var known: [(time: Date, head: Int64, lines: [String: String])] = []
        for step in 1...200 {
            clock.advance(Double.random(in: 1...90, using: &random))
            try await change(service, &random, step)
            let catalogue = try await service.catalogue()
            known.append((clock.now, try service.history.chainHead().id, Self.described(catalogue)))
        }
        let kinds: Set<HistoryRecord.Kind> = [.set, .reset, .external, .lock, .unlock, .denied]
        #expect(Set(try service.rows().map(\.event.kind)).isSuperset(of: kinds))
        for (index, state) in known.enumerated() {
            let then = try await at(state.time.addingTimeInterval(index.isMultiple(of: 3) ? 0.5 : 0), service)
            #expect(Self.differences(then.then, state.lines) == [], "instant \(index)")
            #expect(then.moment.lastRow == state.head)
        }
        let first = try #require(try service.rows().first)
        let start = try #require(try await service.flags(at: .before(row: first.id)))
        #expect(start.moment.isBeforeHistory && start.moment.isKnown)
        let original = try Project()
        try Data(Project.values.utf8).write(to: original.folder.appending(path: "second.xml"))
        let fresh = try original.service(
            others: [.init(name: "Second", url: original.folder.appending(path: "second.xml"), isWritable: true)])
        #expect(Self.differences(start.then, Self.described(try await fresh.catalogue())) == [])
    }

    /// One random change, by the service or from outside.
    private func change(_ service: ChangeService, _ random: inout SplitMix, _ step: Int) async throws {
        let provider = ["Local", "Second"].randomElement(using: &random) ?? "Local"
        let number = Int.random(in: 1...10, using: &random)
        let isOn = Bool.random(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try edit(provider, [".of stray": .string("stray \(step)")])
        case 1: try edit(provider, ["new group/of \(number)": .integer(Int128(step)), "stray": nil])
        case 2: try edit(provider, ["checkout/limit": .integer(Int128(number)), "new group": nil])
        case 3:
            let enabled: FlagValue = isOn ? .string("not a boolean") : .bool(true)
            try edit(provider, ["checkout/enabled": enabled, "n\u{301}": .integer(1)])
        case 4:
            let text = try String(contentsOf: project.manifestFile, encoding: .utf8)
            try project.writeManifest(
                text.replacing(/<true\/>(?=<\/dict>\s*<dict><key>key<\/key><string>hidden)/, with: "<false/>"))
            try await apply(service, Change(key: enabled, action: .lock))
        case 5: try await apply(service, Change(key: enabled, action: .unlock))
        case 6: try await apply(service, Change(key: limit, action: .reset, provider: provider))
        case 7:
            let options = FlagValue.dictionary(["depth": .integer(Int128(step)), "on": .bool(isOn)])
            try await apply(service, Change(key: .of("options"), action: .setValue(options), provider: provider))
        case 8: try await apply(service, Change(key: .of("options"), action: .reset, provider: provider))
        case 9:
            _ = try await service.apply(
                ChangeRequest(
                    [
                        Change(key: limit, action: .setText("\(number)"), provider: "Local"),
                        Change(key: .of("checkout", "fast"), action: .setText("\(isOn)"), provider: "Second"),
                    ], by: Project.author))
        case 10:
            let change = Change(key: .of("checkout", "region"), action: .setText("\(step)"))
            #expect(try await attempt(service, change) == false)
        default:
            _ = try await attempt(service, Change(key: enabled, action: .setText("\(isOn)"), provider: provider))
        }
    }

    /// Makes a change unless the flag is locked.
    private func attempt(_ service: ChangeService, _ change: Change) async throws -> Bool {
        do {
            try await apply(service, change)
            return true
        } catch let refusal as ChangeError {
            #expect(refusal.reason == .locked)
            return false
        }
    }

    private func apply(_ service: ChangeService, _ change: Change) async throws {
        _ = try await service.apply(change, by: Project.author)
    }

    /// Edits a file as another program would.
    private func edit(_ provider: String, _ values: [String: FlagValue?]) throws {
        let url = provider == "Local" ? project.file : second
        var root = try PropertyListDocument(source: Data(contentsOf: url)).root
        for (text, value) in values {
            let key = try #require(FlagKeyPath(text: text))
            root = root.setting(value, at: key.components[...])
        }
        try PropertyListDocument(root: root).source.write(to: url, options: .atomic)
    }

    @Test("Texts that look the same and are spelt otherwise come back as they were spelt")
    func spellings() async throws {
        let service = try service()
        let start = clock.now
        let spelt: [String: FlagValue] = [
            "first": .string("caf\u{e9}"), "second": .string("cafe\u{301}"), "third": .string("e"),
        ]
        try edit("Local", spelt.mapValues(Optional.some))
        _ = try await service.catalogue()
        clock.advance(10)
        try edit("Local", spelt.mapValues { _ in .string("e") })
        _ = try await service.catalogue()
        let past = try await at(start, service)
        for (name, value) in spelt {
            #expect(past.then[.of(name)]?.resolution.effectiveValue == value)
        }
    }

    @Test("Just before a change is before all of its batch")
    func beforeChange() async throws {
        let service = try service()
        try await apply(service, Change(key: limit, action: .setText("6")))
        clock.advance(10)
        _ = try await service.apply(
            ChangeRequest(
                [
                    Change(key: limit, action: .setText("7")), Change(key: enabled, action: .setText("false")),
                ], by: Project.author))
        for row in [2, 3] as [Int64] {
            let past = try #require(try await service.flags(at: .before(row: row)))
            #expect(past.then[limit]?.resolution.effectiveValue == .integer(6))
            #expect(past.then[enabled]?.resolution.effectiveValue == .bool(true))
            #expect(past.flags.filter(\.isDifferent).map(\.key) == [enabled, limit])
        }
        #expect(try await service.flags(at: .before(row: 4)) == nil)
    }

    @Test("What restores a moment is one change for each provider that holds something else, and leads back there")
    func restores() async throws {
        let service = try service()
        let start = clock.now
        clock.advance(10)
        try await apply(service, Change(key: limit, action: .setText("6")))
        try await apply(service, Change(key: limit, action: .reset, provider: "Second"))
        try await apply(service, Change(key: .of("checkout", "fast"), action: .setText("false")))
        let past = try await at(start, service)
        let changes = past.flags.flatMap { $0.restoring(in: ["Local", "Second"], defines: true) }
        #expect(changes.map(\.provider) == ["Local", "Second", "Local"])
        #expect(changes.map(\.action) == [.setValue(.integer(5)), .setValue(.integer(5)), .reset])
        _ = try await service.apply(ChangeRequest(changes, by: Project.author))
        #expect(try await at(start, service).flags.allSatisfy { !$0.isDifferent })
        #expect(past.flags.flatMap { $0.restoring(in: ["Second"], defines: true) }.count == 1)
        let moved = try await at(clock.now, service)
        await #expect(throws: BatchError.self, "What changed since is not overwritten") {
            try await service.apply(ChangeRequest(changes, by: Project.author))
        }
        #expect(moved.flags.allSatisfy { !$0.isDifferent })
    }

    @Test("A dictionary whose definition was deleted alone is defined again, with what stands there now as its value")
    func lostDictionary() async throws {
        let service = try project.service()
        let options = FlagKeyPath.of("options")
        let before = try await service.catalogue()[options]
        _ = try await service.apply(Change(key: options, action: .remove(withValues: false)), by: Project.author)
        for isEdited in [false, true] {
            if isEdited {
                _ = try await service.apply(
                    Change(key: options, action: .remove(withValues: false)), by: Project.author)
                _ = try await service.apply(
                    Change(key: .of("options", "depth"), action: .setText("3")), by: Project.author)
            }
            let past = try #require(try await service.flags(at: .before(row: 1)))
            let flag = try #require(past.flags.first { $0.key == options })
            #expect(flag.isDifferent && flag.hasLostDefinition)
            let changes = flag.restoring(in: ["Local"], defines: true)
            #expect(changes.count == (isEdited ? 2 : 1) && flag.restoring(in: ["Local"], defines: false).isEmpty)
            _ = try await service.apply(ChangeRequest(changes, by: Project.author))
            #expect(try await service.catalogue()[options] == before)
        }
    }

    @Test("A definition is the one of then, with its default, and a flag that is gone is told of")
    func definitions() async throws {
        let service = try service()
        let before = clock.now
        clock.advance(10)
        try project.writeManifest(
            Project.manifest.replacing(
                "<string>checkout/fast</string><key>type</key><string>bool</string>\n<key>default</key><true/></dict>",
                with: "<string>checkout/quick</string><key>type</key><string>integer</string></dict>"))
        _ = try await service.overview()
        let past = try await at(before, service)
        let fast = try #require(past.flags.first { $0.key == .of("checkout", "fast") })
        #expect(fast.now == nil && fast.then?.resolution.effectiveValue == .bool(true) && fast.isDifferent)
        #expect(past.then[.of("checkout", "quick")] == nil && past.now[.of("checkout", "quick")] != nil)
    }

    @Test("A flag that held a dictionary is told with it, whatever it is defined to hold now")
    func formerDictionary() async throws {
        let service = try service()
        let options = FlagKeyPath.of("options")
        try await apply(service, Change(key: options, action: .setValue(.dictionary(["depth": .integer(1)]))))
        let before = clock.now
        clock.advance(10)
        try project.writeManifest(
            Project.manifest.replacing(
                "<string>options</string><key>type</key><string>json</string>",
                with: "<string>options</string><key>type</key><string>array</string>"))
        #expect(try await service.catalogue()[options]?.resolution.isBroken == true)
        let past = try await at(before, service)
        #expect(past.then[options]?.definition.type == .json)
        #expect(past.then[options]?.resolution.effectiveValue == .dictionary(["depth": .integer(1)]))
    }

    @Test("What is internal now shows nowhere, not even where it once was inside a dictionary or not yet defined")
    func hidesInternal() async throws {
        let defined = try String(contentsOf: project.manifestFile, encoding: .utf8)
        let isolated =
            "<dict><key>key</key><string>hidden/token</string><key>type</key><string>string</string>\n"
            + "<key>isInternal</key><true/></dict>"
        try #require(defined.contains(isolated))
        try project.writeManifest(
            defined.replacing(
                isolated,
                with: "<dict><key>key</key><string>hidden</string><key>type</key><string>json</string></dict>"))
        let service = try service()
        let open = clock.now
        #expect(try await service.catalogue()[.of("hidden")] != nil)
        clock.advance(10)
        try project.writeManifest(defined.replacing(isolated, with: ""))
        _ = try await service.overview()
        let inferred = clock.now
        #expect(try await service.catalogue()[.of("hidden", "token")] != nil)
        clock.advance(10)
        try project.writeManifest(defined)
        for time in [open, inferred, clock.now] {
            let past = try await at(time, service)
            #expect(!past.flags.contains { $0.key.components[0] == "hidden" })
            for provider in ["Local", "Second"] {
                let text = String(decoding: try #require(try past.values(of: provider)).source, as: UTF8.self)
                #expect(!text.contains("secret") && !text.contains("hidden") && text.contains("checkout"))
            }
        }
    }

    @Test("What the history tells of an internal flag stays hidden when its value and definition are gone")
    func hidesFormerInternal() async throws {
        let before = clock.now
        do {
            let service = try service()
            clock.advance(10)
            // As git does: both files at once, while the dashboard runs.
            let defined = try String(contentsOf: project.manifestFile, encoding: .utf8)
            let isolated =
                "<dict><key>key</key><string>hidden/token</string><key>type</key><string>string</string>\n"
                + "<key>isInternal</key><true/></dict>"
            try #require(defined.contains(isolated))
            for file in [project.file, second] {
                let values = try PropertyListDocument(source: Data(contentsOf: file))
                try values.omitting([.of("hidden", "token")]).source.write(to: file)
            }
            try project.writeManifest(defined.replacing(isolated, with: ""))
            try await expectHidden(service, before)
        }
        try await expectHidden(try service(), before)
        let seen = try service(showsInternal: true)
        #expect(try await at(before, seen).flags.contains { $0.key.components[0] == "hidden" })
    }

    private func expectHidden(_ service: ChangeService, _ time: Date) async throws {
        let overview = try await service.overview()
        let shown = try service.history.page(HistoryQuery(hiddenKeys: overview.hiddenKeys, limit: 1000)).records
        #expect(!shown.contains { $0.event.key.components[0] == "hidden" })
        #expect(try service.rows().contains { $0.event.key.components[0] == "hidden" })
        let past = try await at(time, service)
        #expect(!past.flags.contains { $0.key.components[0] == "hidden" })
        let text = String(decoding: try #require(try past.values(of: "Local")).source, as: UTF8.self)
        #expect(!text.contains("secret") && text.contains("checkout"))
        #expect(try HistoryReading(service.files, showsInternal: false).hiddenKeys == overview.hiddenKeys)
    }

    @Test("A group that took the place of a value, and a value that of a group, are told as they were")
    func groupsAndValues() async throws {
        let states = [
            "<key>b</key><dict><key>a</key><true/><key>c</key><string>keep</string></dict>",
            "<key>b</key><string>s</string>",
            "<key>b</key><dict><key>a</key><false/><key>d</key><integer>1</integer></dict>",
            "<key>b</key><integer>7</integer>",
        ]
        try project.write(Project.plist(states[0]))
        let service = try service()
        var times = [clock.now]
        for state in states.dropFirst() {
            clock.advance(10)
            try project.write(Project.plist(state))
            _ = try await service.overview()
            times.append(clock.now)
        }
        for (time, state) in zip(times, states) {
            let past = try #require(try await at(time, service).values(of: "Local"))
            #expect(past.root == (try PropertyListDocument(source: Data(Project.plist(state).utf8))).root)
        }
        let rows = try service.rows().filter { $0.event.provider == "Local" }
        #expect(rows.prefix(3).map(\.event.key.text) == ["b/a", "b/c", "b"])
    }

    @Test("A provider that is not served any more is named, and nothing is told of its values")
    func missingProvider() async throws {
        do {
            let service = try service()
            try await apply(service, Change(key: limit, action: .setText("6"), provider: "Second"))
        }
        let past = try await at(clock.now, try service(servesSecond: false))
        #expect(past.missingProviders == ["Second"])
        #expect(try past.values(of: "Second") == nil)
        #expect(past.flags.allSatisfy { $0.values.map(\.provider) == ["Local"] })
    }

    @Test("While a file can't be read, the past is told from what the history last knew of it")
    func unreadableNow() async throws {
        let service = try service()
        let before = clock.now
        clock.advance(10)
        try await apply(service, Change(key: limit, action: .setText("6")))
        try project.write("<plist>")
        let past = try await at(before, service)
        #expect(past.then[limit]?.resolution["Local"]?.stored == .integer(5))
        #expect(past.now[limit]?.resolution["Local"]?.stored == nil)
    }

    @Test("Where the clock was set back, what had happened before counts")
    func clockSetBack() async throws {
        let service = try service()
        clock.advance(3600)
        try await apply(service, Change(key: limit, action: .setText("6")))
        clock.set(Project.now)
        try await apply(service, Change(key: limit, action: .setText("7")))
        let past = try await at(Project.now.addingTimeInterval(1), service)
        #expect(past.moment.lastRow == 2 && past.then[limit]?.resolution.effectiveValue == .integer(7))
    }

    @Test("What was pruned is not known, and from the first row that is there on everything is")
    func pruned() async throws {
        let start = clock.now
        var times: [Date] = []
        let service = try service()
        for number in 1...4 {
            clock.advance(100)
            try await apply(service, Change(key: limit, action: .setText("\(number)")))
            times.append(clock.now)
        }
        let event = HistoryEvent(
            batch: UUID(), at: clock.now, actor: "ada", role: "admin", origin: .cli, kind: .prune, provider: nil,
            key: .of("history"), type: nil, before: nil, after: nil)
        #expect(try service.history.prune(upTo: 2, recording: event).last == 2)
        for time in [start, times[0], times[1]] {
            let past = try await at(time, service)
            #expect(!past.moment.isKnown && past.moment.begin == times[2] && past.moment.anchor?.last == 2)
        }
        for (time, number) in zip(times[2...], [3, 4]) {
            let past = try await at(time, service)
            #expect(past.moment.isKnown)
            #expect(past.then[limit]?.resolution.effectiveValue == .integer(Int128(number)))
        }
        #expect(try #require(try await service.flags(at: .before(row: 3))).moment.isKnown)
        #expect(try await service.flags(at: .before(row: 2)) == nil)
    }
}
