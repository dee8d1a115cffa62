import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("The last change of each flag")
struct LastChangesTests {
    private static let names = ["fast", "late", "other"]

    let project: Project
    let service: ChangeService

    init() throws {
        project = try Project(
            values: Project.plist("<key>late</key><string>x</string>"),
            manifest: Project.manifest(
                Self.names.map { ($0, "string", "") } + [("fixed", "string", "<key>isLocked</key><true/>")]))
        service = try project.service()
    }

    private static let isInternal = "<key>isInternal</key><true/>"

    /// The row of each flag's last change, which has to be what the history says when it is asked for all of them.
    private func rows() async throws -> [String: Int64] {
        let overview = try await service.overview()
        let changes = try await service.lastChanges(of: overview)
        let keys = Set(overview.catalogue.entries.map(\.key))
        #expect(try service.history.lastChanges(of: keys, hiddenKeys: overview.hiddenKeys) == changes)
        return Dictionary(changes.map { ($0.key.text, $0.value.id) }, uniquingKeysWith: { first, _ in first })
    }

    private func set(_ key: String, _ text: String) async throws {
        _ = try await service.apply(Change(key: .of(key), action: .setText(text)), by: Project.author)
    }

    @Test("Whatever happens after they were told, they are told as they are then")
    func anew() async throws {
        #expect(try await rows().isEmpty)
        try await set("fast", "1")
        try await set("late", "2")
        #expect(try await rows() == ["fast": 1, "late": 2])
        try await set("fast", "3")
        #expect(try await rows() == ["fast": 3, "late": 2])
        await #expect(throws: ChangeError.self) { try await set("fixed", "4") }
        #expect(try service.rows().last?.event.kind == .denied)
        #expect(try await rows() == ["fast": 3, "late": 2])
    }

    @Test("A flag that another program adds has one at once, and one that it removes has none any more")
    func outside() async throws {
        try await set("fast", "1")
        _ = try await rows()
        try project.write(Project.plist("<key>late</key><string>x</string><key>stray</key><true/>"))
        #expect(try await rows().keys.sorted() == ["fast", "stray"])
        try project.write(Project.plist("<key>late</key><string>x</string>"))
        #expect(try await rows().keys.sorted() == ["fast"])
        try project.write(Project.plist("<key>late</key><string>x</string><key>stray</key><true/>"))
        #expect(try await rows()["stray"] == 5)
    }

    @Test("More changes at once than are looked at one by one are told too")
    func many() async throws {
        func write(_ value: String) throws {
            try project.write(Project.plist((1...70).map { "<key>stray\($0)</key><\(value)/>" }.joined()))
        }
        try write("true")
        #expect(try await rows().count == 71, "70 that were added, and the one that was removed")
        try write("false")
        #expect(try await rows().values.filter { $0 > 71 }.count == 70)
    }

    @Test("Changes that are pruned are told no longer")
    func pruned() async throws {
        try await set("fast", "1")
        try await set("late", "2")
        #expect(try await rows() == ["fast": 1, "late": 2])
        let event = HistoryEvent(
            batch: UUID(), at: Project.now, actor: "ada", role: "admin", origin: .cli, kind: .prune, provider: nil,
            key: .of("history"), type: nil, before: nil, after: nil)
        _ = try service.history.prune(upTo: 1, recording: event)
        #expect(try await rows() == ["late": 2])
    }

    @Test("A flag that becomes internal is told no longer, and one that is so no longer is told again")
    func hidden() async throws {
        try await set("fast", "1")
        try await set("late", "2")
        _ = try await rows()
        try project.writeManifest(
            Project.manifest(Self.names.map { ($0, "string", $0 == "fast" ? Self.isInternal : "") }))
        #expect(try await rows().keys.contains("fast") == false)
        try project.writeManifest(Project.manifest(Self.names.map { ($0, "string", "") }))
        #expect(try await rows().keys.contains("fast"))
    }
}
