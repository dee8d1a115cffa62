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

    @Test("What a flag got before it required a restart, or with a new name, the app has taken up")
    func taken() async throws {
        let service = try project.service()
        let color = FlagKeyPath.of("color")
        try await set(service, "blue", color)
        let definition = try #require(try await service.overview().catalogue[color]?.definition)
        var slow = definition
        slow.metadata.requiresRestart = true
        _ = try await service.apply(
            Change(key: color, action: .redefine(DefinitionEdit(slow))), by: Project.author)
        #expect(try await service.overview().pendingRestart.waits.isEmpty)
        try await set(service, "green", color)
        #expect(try await service.overview().pendingRestart.waits.map(\.before) == [.string("blue")])
        let renamed = FlagKeyPath.of("paint")
        _ = try await service.apply(Change(key: color, action: .rename(renamed)), by: Project.author)
        #expect(try await service.overview().pendingRestart.waits.isEmpty)
        try await set(service, "red", renamed)
        #expect(try await service.overview().pendingRestart.waits.map(\.before) == [.string("green")])
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
        let refusal = try await #require(throws: ChangeRefusal.self) { try await service.recordRestart(by: viewer) }
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
