import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("What waits for a restart")
struct PendingRestartTests {
    let project: Project
    private let speed = FlagKeyPath.of("speed")

    init() throws {
        let flags = [
            ("speed", "integer", "<key>requiresRestart</key><true/><key>default</key><integer>1</integer>"),
            ("color", "string", ""),
            ("secret", "string", "<key>requiresRestart</key><true/><key>isInternal</key><true/>"),
        ]
        project = try Project(
            values: Project.plist("<key>color</key><string>red</string>"), manifest: Project.manifest(flags))
    }

    private func set(_ service: ChangeService, _ text: String?, _ key: FlagKeyPath) async throws {
        _ = try await service.apply(
            Change(key: key, action: text.map { .setText($0) } ?? .reset), by: Project.author)
    }

    @Test("A changed value waits until it is set back, or until the app is restarted")
    func waits() async throws {
        let service = try project.service()
        #expect(try await service.overview().pendingRestart.waits.isEmpty)
        try await set(service, "2", speed)
        try await set(service, "3", speed)
        try await set(service, "blue", .of("color"))
        let wait = PendingRestart.Wait(key: speed, name: "Speed", before: .integer(1), now: .integer(3))
        #expect(try await service.overview().pendingRestart.waits == [wait])
        try await set(service, nil, speed)
        #expect(try await service.overview().pendingRestart.waits.isEmpty)
        try await set(service, "4", speed)
        let row = try await service.overview().pendingRestart.lastRow
        try await set(service, "5", speed)
        try await service.recordRestart(after: row, by: Project.author)
        let late = PendingRestart.Wait(key: speed, name: "Speed", before: .integer(4), now: .integer(5))
        #expect(try await service.overview().pendingRestart.waits == [late])
        try await service.recordRestart(by: Project.author)
        #expect(try await service.overview().pendingRestart.waits.isEmpty)
        let restart = try service.history.lastRestart()
        #expect(restart.actor == "ada" && restart.at == Project.now)
    }

    private func pruneAllButNewest(of project: Project, at now: Date) throws {
        let maintenance = try HistoryMaintenance(FlagFiles(values: project.file), by: Project.author, log: { _ in })
        _ = try maintenance.prune(.keepingRows(1), archive: nil, reason: "", now: now)
    }

    private func waits(_ service: ChangeService) async throws -> [String] {
        try await service.overview().pendingRestart.waits.map { wait in
            "\(wait.key): " + [wait.before, wait.now].map { $0?.briefDescription ?? "-" }.joined(separator: " to ")
        }
    }

    private func redefine(_ service: ChangeService, _ key: FlagKeyPath, requiresRestart: Bool) async throws {
        var definition = try #require(try await service.overview().catalogue[key]?.definition)
        definition.metadata.requiresRestart = requiresRestart
        _ = try await service.apply(
            Change(key: key, action: .redefine(DefinitionEdit(definition))), by: Project.author)
    }

    @Test("What a flag got before it required a restart the app has taken up, however often it began to")
    func taken() async throws {
        let service = try project.service()
        let color = FlagKeyPath.of("color")
        try await set(service, "blue", color)
        try await redefine(service, color, requiresRestart: true)
        #expect(try await waits(service).isEmpty)
        try await set(service, "green", color)
        #expect(try await waits(service) == [#"color: string "blue" to string "green""#])
        try await redefine(service, color, requiresRestart: false)
        #expect(try await waits(service).isEmpty)
        try await redefine(service, color, requiresRestart: true)
        #expect(try await waits(service).isEmpty)
        try await set(service, "red", color)
        #expect(try await waits(service) == [#"color: string "green" to string "red""#])
    }

    @Test(
        "What waits is followed through renamings, also where they are undone and another flag takes the old key path")
    func renamed() async throws {
        let service = try project.service()
        let (pace, tempo) = (FlagKeyPath.of("pace"), FlagKeyPath.of("tempo"))
        _ = try await service.apply(Change(key: speed, action: .rename(pace)), by: Project.author)
        #expect(try await waits(service).isEmpty)
        try await set(service, "2", pace)
        _ = try await service.apply(Change(key: pace, action: .rename(tempo)), by: Project.author)
        try await set(service, "3", tempo)
        #expect(try await waits(service) == ["tempo: integer 1 to integer 3"])
        let renaming = try #require(try service.rows().last { $0.event.kind == .remove })
        let batch = try service.history.records(batch: renaming.event.batch, hiddenKeys: [])
        try await set(service, "2", tempo)
        _ = try await service.apply(
            ChangeRequest(Reversal.reversals(of: batch, reason: "").map(\.change), by: Project.author))
        #expect(try await waits(service) == ["pace: integer 1 to integer 2"])
        let other = FlagDefinition(
            key: speed, type: .integer, defaultValue: .integer(7), metadata: FlagMetadata(requiresRestart: true))
        _ = try await service.apply(Change(key: speed, action: .define(DefinitionEdit(other))), by: Project.author)
        #expect(try await waits(service) == ["pace: integer 1 to integer 2"])
        try await set(service, "3", pace)
        #expect(try await waits(service) == ["pace: integer 1 to integer 3"])
        try await set(service, "2", pace)
        try await set(service, "8", speed)
        #expect(try await waits(service).sorted() == ["pace: integer 1 to integer 2", "speed: integer 7 to integer 8"])
        try await service.recordRestart(by: Project.author)
        #expect(try await waits(service).isEmpty)
    }

    @Test(
        "What is renamed and set in one batch waits, and so do two flags that stood at one key path, one after the other"
    )
    func renamedAmidOthers() async throws {
        let service = try project.service()
        let (pace, tempo) = (FlagKeyPath.of("pace"), FlagKeyPath.of("tempo"))
        _ = try await service.apply(
            ChangeRequest(
                [
                    Change(key: speed, action: .rename(pace)), Change(key: pace, action: .rename(tempo)),
                    Change(key: tempo, action: .setText("5")),
                ], by: Project.author))
        #expect(try await waits(service) == ["tempo: integer 1 to integer 5"])
        let other = FlagDefinition(key: speed, type: .bool, metadata: FlagMetadata(requiresRestart: true))
        _ = try await service.apply(Change(key: speed, action: .define(DefinitionEdit(other))), by: Project.author)
        #expect(try await waits(service) == ["tempo: integer 1 to integer 5"])
        _ = try await service.apply(Change(key: speed, action: .remove(withValues: true)), by: Project.author)
        let third = FlagDefinition(
            key: speed, type: .integer, defaultValue: .integer(7), metadata: FlagMetadata(requiresRestart: true))
        _ = try await service.apply(Change(key: speed, action: .define(DefinitionEdit(third))), by: Project.author)
        try await set(service, "8", speed)
        #expect(
            try await waits(service).sorted()
                == ["speed: integer 7 to integer 8", "tempo: integer 1 to integer 5"])
    }

    @Test(
        "What a key held before anybody defined it the app has taken up; what it keeps in an entry for itself is no mark"
    )
    func undefined() async throws {
        let manifest = Project.manifest([
            ("odd", "integer", "<key>userInfo</key><dict><key>requiresRestart</key><true/></dict>")
        ])
        let project = try Project(
            values: Project.plist("<key>odd</key><integer>1</integer><key>stray</key><integer>1</integer>"),
            manifest: manifest)
        let service = try project.service()
        for key in ["odd", "stray"] {
            let flag = FlagKeyPath.of(key)
            try await set(service, "2", flag)
            var definition = try #require(try await service.overview().catalogue[flag]?.definition)
            definition.metadata.requiresRestart = true
            let edit = DefinitionEdit(definition)
            _ = try await service.apply(
                Change(key: flag, action: key == "odd" ? .redefine(edit) : .define(edit)), by: Project.author)
        }
        #expect(try await waits(service).isEmpty)
        try await set(service, "3", .of("stray"))
        #expect(try await waits(service) == ["stray: integer 2 to integer 3"])
    }

    @Test("Where rows since the last restart were pruned, that is said")
    func pruned() async throws {
        let day = SettableTime(Project.now)
        var options = ChangeService.Options(clock: { day.now })
        options.halfWrittenPatience = .zero
        do {
            let service = try project.service(options)
            try await set(service, "2", speed)
            try await set(service, "3", speed)
            #expect(try await !service.overview().pendingRestart.lacksPruned)
        }
        day.advance(days: 2)
        try pruneAllButNewest(of: project, at: day.now)
        let service = try project.service(options)
        #expect(try await service.overview().pendingRestart.lacksPruned)
        try await service.recordRestart(by: Project.author)
        #expect(try await !service.overview().pendingRestart.lacksPruned)
    }

    @Test("What was pruned before a flag came to require a restart is not missed")
    func prunedBefore() async throws {
        let color = FlagKeyPath.of("color")
        let project = try Project(
            values: Project.plist("<key>color</key><string>red</string>"),
            manifest: Project.manifest([("color", "string", "")]))
        do {
            let service = try project.service()
            for text in ["blue", "green", "red"] { try await set(service, text, color) }
        }
        try pruneAllButNewest(of: project, at: Project.now)
        let service = try project.service()
        try await redefine(service, color, requiresRestart: true)
        #expect(try await !service.overview().pendingRestart.lacksPruned)
        try await set(service, "blue", color)
        #expect(try await waits(service) == ["color: string \"red\" to string \"blue\""])
        #expect(try await !service.overview().pendingRestart.lacksPruned)
    }

    @Test("A flag that came back may have waited for what was pruned")
    func prunedRemoval() async throws {
        do {
            let service = try project.service()
            try await set(service, "2", speed)
            _ = try await service.apply(Change(key: speed, action: .remove(withValues: false)), by: Project.author)
            try await set(service, "blue", .of("color"))
        }
        try pruneAllButNewest(of: project, at: Project.now)
        let service = try project.service()
        #expect(try await !service.overview().pendingRestart.lacksPruned)
        var definition = FlagDefinition(key: speed, type: .integer)
        definition.metadata.requiresRestart = true
        let comesBack = Change(key: speed, action: .define(DefinitionEdit(definition)))
        _ = try await service.apply(comesBack, by: Project.author)
        #expect(try await service.overview().pendingRestart.lacksPruned)
    }

    @Test("A flag that is deleted and comes back waits as it did; one that comes with a value waits for that")
    func cameBack() async throws {
        let service = try project.service()
        try await set(service, "2", speed)
        _ = try await service.apply(Change(key: speed, action: .remove(withValues: true)), by: Project.author)
        #expect(try await waits(service).isEmpty)
        let removal = try #require(try service.rows().last { $0.event.kind == .remove })
        let batch = try service.history.records(batch: removal.event.batch, hiddenKeys: [])
        _ = try await service.apply(
            ChangeRequest(Reversal.reversals(of: batch, reason: "").map(\.change), by: Project.author))
        #expect(try await waits(service) == ["speed: integer 1 to integer 2"])
        let fresh = FlagKeyPath.of("fresh")
        let definition = FlagDefinition(
            key: fresh, type: .integer, defaultValue: .integer(0), metadata: FlagMetadata(requiresRestart: true))
        _ = try await service.apply(
            ChangeRequest(
                [
                    Change(key: fresh, action: .define(DefinitionEdit(definition))),
                    Change(key: fresh, action: .setText("5")),
                ], by: Project.author))
        #expect(
            try await waits(service).sorted() == ["fresh: integer 0 to integer 5", "speed: integer 1 to integer 2"])
        // What it was before, without that it requires a restart, the app took up.
        _ = try await service.apply(Change(key: .of("color"), action: .remove(withValues: false)), by: Project.author)
        let color = FlagDefinition(
            key: .of("color"), type: .string, metadata: FlagMetadata(requiresRestart: true))
        _ = try await service.apply(
            Change(key: .of("color"), action: .define(DefinitionEdit(color))), by: Project.author)
        try await set(service, "blue", .of("color"))
        #expect(try await waits(service).sorted().first == #"color: string "red" to string "blue""#)
    }

    @Test("What waits, and that it no longer does, is known to the next process")
    func survives() async throws {
        do {
            let service = try project.service()
            try await set(service, "2", speed)
        }
        do {
            let service = try project.service()
            #expect(try await service.overview().pendingRestart.waits.map(\.now) == [.integer(2)])
            try await service.recordRestart(by: Project.author)
        }
        #expect(try await project.service().overview().pendingRestart.waits.isEmpty)
    }

    @Test("An edit from outside waits too, an internal flag is on no list, and a viewer can't report a restart")
    func respectsRules() async throws {
        let service = try project.service()
        try project.write(Project.plist("<key>secret</key><string>s</string><key>speed</key><integer>9</integer>"))
        #expect(try await service.overview().pendingRestart.waits.map(\.key) == [speed])
        let viewer = ChangeAuthor(name: "vic", role: .viewer, origin: .api)
        let refusal = try await #require(throws: ChangeError.self) { try await service.recordRestart(by: viewer) }
        #expect(refusal.reason == .notAllowed)
        try await service.recordRestart(by: ChangeAuthor(name: "app", role: .editor, origin: .api))
        #expect(try await service.overview().pendingRestart.waits.isEmpty)
    }
}

@Suite("Overrides that nobody has changed for long")
struct FlagAgeTests {
    @Test("An override is long unchanged after 180 days, where the history reaches back that far")
    func ages() async throws {
        let project = try Project(
            values: Project.plist("<key>old</key><true/><key>young</key><true/>"),
            manifest: Project.manifest([
                ("old", "bool", ""), ("young", "bool", ""), ("unset", "bool", ""), ("first", "bool", ""),
            ]))
        let clock = SettableTime(Project.now)
        var options = ChangeService.Options(clock: { clock.now })
        options.halfWrittenPatience = .zero
        let service = try project.service(options)
        func unchanged() async throws -> [FlagKeyPath: Date?] { try await service.overview().unchanged }
        #expect(try await unchanged().isEmpty, "there is no history")
        _ = try await service.apply(Change(key: .of("first"), action: .setText("true")), by: Project.author)
        clock.advance(days: 179)
        #expect(try await unchanged().isEmpty)
        _ = try await service.apply(Change(key: .of("young"), action: .setText("false")), by: Project.author)
        clock.advance(days: 2)
        #expect(try await unchanged() == [.of("first"): Project.now, .of("old"): nil])
        _ = try await service.apply(Change(key: .of("first"), action: .reset), by: Project.author)
        #expect(try await unchanged().keys.map(\.text) == ["old"])
    }
}
