import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("Edits from outside")
struct OutsideEditTests {
    let project: Project

    init() throws { project = try Project() }

    private func set(_ service: ChangeService, _ text: String) async throws -> ChangeOutcome {
        try await service.apply(
            Change(key: .of("checkout", "limit"), action: .setText(text)), by: Project.author)
    }

    @Test("Another program's edit is served at once and recorded flag by flag")
    func recordsEdit() async throws {
        let service = try project.service()
        try project.write(
            Project.values.replacingOccurrences(of: "<integer>5</integer>", with: "<integer>8</integer>")
                .replacingOccurrences(of: "\t<key>stray</key>\n\t<string>nobody defined me</string>\n", with: ""))
        let entry = try #require(try await service.catalogue()[.of("checkout", "limit")])
        #expect(entry.resolution.effectiveValue == .integer(8))
        let rows = try service.rows()
        #expect(rows.map(\.event.key) == [.of("stray"), .of("checkout", "limit")])
        #expect(rows.map(\.event.kind) == [.external, .external])
        #expect(rows.map(\.event.before) == [.string("nobody defined me"), .integer(5)])
        #expect(rows.map(\.event.after) == [nil, .integer(8)])
        #expect(Set(rows.map(\.event.batch)).count == 1)
    }

    @Test("An edit made while nothing ran is recorded at the next start")
    func recordsEditAtStart() async throws {
        do {
            let service = try project.service()
            _ = try await set(service, "6")
        }
        try project.write(Project.values)
        let service = try project.service()
        #expect(try service.rows().map(\.event.kind) == [.set, .external])
        #expect(try service.rows().last?.event.before == .integer(6))
    }

    @Test("A change of comments alone adds no row, and the next change keeps them")
    func keepsComments() async throws {
        let service = try project.service()
        let commented = Project.values.replacingOccurrences(of: "\t<key>stray", with: "\t<!-- who? -->\n\t<key>stray")
        try project.write(commented)
        _ = try await set(service, "6")
        #expect(try project.text() == commented.replacingOccurrences(of: "<integer>5<", with: "<integer>6<"))
        #expect(try service.rows().count == 1)
    }

    @Test("A broken file is never overwritten: reads show it, changes wait, and both go on when it is valid again")
    func waitsForBrokenFile() async throws {
        let service = try project.service()
        let broken = String(Project.values.prefix(300))
        try project.write(broken)
        let entry = try #require(try await service.catalogue()[.of("checkout", "limit")])
        guard case .broken = entry.resolution["Local"] else {
            Issue.record("the provider's answer is \(String(describing: entry.resolution["Local"]))")
            return
        }
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
        #expect(refusal.reason == .unavailable)
        #expect(refusal.description.contains("line"))
        #expect(try await service.fileProblems().contains { "\($0)".contains("flags.xml") && "\($0)".contains("line") })
        await #expect(throws: ChangeError.self) { try await service.exportedValues() }
        #expect(try project.text() == broken)
        try project.write(Project.values)
        _ = try await set(service, "6")
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.rows().map(\.event.kind) == [.set])
    }

    @Test("A file that is gone is not made anew by a change")
    func waitsForMissingFile() async throws {
        let service = try project.service()
        try FileManager.default.removeItem(at: project.file)
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
        #expect(refusal.reason == .unavailable)
        #expect(!FileManager.default.fileExists(atPath: project.file.path))
    }

    @Test("While the manifest is broken, internal flags stay hidden, locks hold, and changes wait")
    func keepsRulesOfBrokenManifest() async throws {
        let service = try project.service()
        try project.writeManifest("<plist><dict>")
        #expect(try await service.catalogue()[.of("hidden", "token")] == nil)
        #expect(try await service.catalogue()[.of("checkout", "limit")]?.isDefined == true)
        #expect(String(decoding: try await service.exportedValues().data, as: UTF8.self).contains("secret") == false)
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
        #expect(refusal.reason == .unavailable)
        #expect(refusal.description.contains("flags.manifest.xml"))
        try project.writeManifest(Project.manifest)
        _ = try await set(service, "6")
    }

    @Test("When the manifest is removed, its rules hold until it is back")
    func keepsRulesOfRemovedManifest() async throws {
        do {
            let service = try project.service()
            try FileManager.default.removeItem(at: project.manifestFile)
            for _ in 1...2 {
                #expect(try await service.catalogue()[.of("hidden", "token")] == nil)
                let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
                #expect(refusal.reason == .unavailable)
            }
            try project.writeManifest(Project.manifest)
            _ = try await set(service, "6")
        }
    }

    @Test("A manifest that was removed while nothing ran stops the start, until it is back or one defines nothing")
    func refusesToStartWithoutManifest() async throws {
        _ = try project.service()
        try FileManager.default.removeItem(at: project.manifestFile)
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains(project.manifestFile.path))
        try project.writeManifest(Project.manifest)
        #expect(try await project.service().catalogue()[.of("hidden", "token")] == nil)
        let way = try #require(error.description.split(separator: "\n").last)
        try project.writeManifest(String(way))
        let service = try project.service()
        #expect(try await service.catalogue()[.of("hidden", "token")] != nil)
        let rows = try service.rows()
        #expect(rows.count == 7)
        #expect(rows.allSatisfy { $0.event.kind == .external && $0.event.after == nil && $0.event.provider == nil })
        #expect(rows.first { $0.event.key == .of("checkout", "limit") }?.event.type == .integer)
    }

    @Test("A link to a manifest that was removed while nothing ran stops the start just so")
    func refusesToStartWithoutManifestLink() throws {
        let real = project.folder.appending(path: "definitions.xml")
        try FileManager.default.moveItem(at: project.manifestFile, to: real)
        try FileManager.default.createSymbolicLink(at: project.manifestFile, withDestinationURL: real)
        _ = try project.service()
        try FileManager.default.removeItem(at: project.manifestFile)
        #expect(throws: ChangeServiceStartError.self) { try project.service() }
    }

    @Test("An edit of a group's definition, and of the manifest's other entries, is recorded as about no flag")
    func recordsGroups() async throws {
        let service = try project.service()
        func write(_ name: String) throws {
            let more = """
                <key>collections</key><array><dict><key>key</key><string>checkout</string>
                <key>name</key><string>\(name)</string></dict></array><key>team</key><string>\(name)</string>
                </dict>
                </plist>
                """
            try project.writeManifest(Project.manifest.replacingOccurrences(of: "</dict>\n</plist>\n", with: more))
        }
        try write("Basket")
        _ = try await service.overview()
        try write("Checkout")
        _ = try await service.overview()
        let rows = try service.rows().map(\.event)
        #expect(rows.map(\.key) == [.of("checkout"), .of("team"), .of("checkout"), .of("team")])
        #expect(rows.allSatisfy { $0.kind == .external && $0.type == nil && $0.provider == nil })
        #expect(rows[0].before == nil)
        #expect(
            rows[2].after == .dictionary(["key": .string("checkout"), "name": .string("Checkout")]))
        #expect(rows[3].before == .string("Basket"))
        #expect(rows[2].reason == "the definition of the group, edited outside Flagboard")
    }

    @Test("Another values file on the same history is not taken for an edit of the first")
    func tellsFilesApart() throws {
        _ = try project.service()
        let other = project.folder.appending(path: "other.xml")
        try Data(Project.plist("<key>a</key><true/>").utf8).write(to: other)
        let files = FlagFiles(values: other, history: project.folder.appending(path: "flags.history.sqlite"))
        #expect(try ChangeService(files: files).rows().isEmpty)
        #expect(try project.service().rows().isEmpty)
    }

    @Test("A lock that appears in the manifest holds from the next request on")
    func takesUpLock() async throws {
        let service = try project.service()
        try project.writeManifest(
            Project.manifest.replacingOccurrences(
                of: "<key>minimum</key>", with: "<key>isLocked</key><true/><key>minimum</key>"))
        let refusal = try await #require(throws: ChangeError.self) { try await set(service, "6") }
        #expect(refusal.reason == .locked)
        let row = try #require(try service.rows().first)
        #expect(row.event.kind == .external)
        #expect(row.event.provider == nil)
        #expect(row.event.key == .of("checkout", "limit"))
    }
}
