import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Groups, and what stands in them")
struct GroupTests {
    private static let group = """
        <key>a</key><dict><key>locked</key><true/><key>secret</key><string>hush</string><key>plain</key><true/></dict>
        """
    private static let manifest = Project.manifest([
        ("a/locked", "bool", "<key>isLocked</key><true/>"), ("a/secret", "string", "<key>isInternal</key><true/>"),
        ("b", "string", ""), ("c", "dictionary", ""),
    ])

    private func service(_ project: Project, second: String) throws -> ChangeService {
        let url = project.folder.appending(path: "b.xml")
        try Data(Project.plist(second).utf8).write(to: url)
        return try project.service(others: [FlagFiles.Provider(name: "B", url: url, isWritable: true)])
    }

    @Test(
        "A value is no flag where another provider has a group or a definition stands below it",
        arguments: [group, "<key>z</key><true/>"])
    func infersNoParent(values: String) async throws {
        let project = try Project(values: Project.plist(values), manifest: Self.manifest)
        let service = try service(project, second: "<key>a</key><string>scalar</string>")
        let catalogue = try await service.catalogue()
        #expect(catalogue[.of("a")] == nil)
        #expect(catalogue[.of("a", "locked")]?.resolution.isBroken == true)
        for (provider, action) in [("Local", Change.Action.setText("x")), ("B", .setText("x")), ("Local", .reset)] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(
                    Change(key: .of("a"), action: action, provider: provider), by: Project.author)
            }
            #expect(refusal.reason == .unknown)
        }
        #expect(try project.text() == Project.plist(values))
        #expect(try service.rows().isEmpty)
    }

    @Test("Without any definition, a value is no flag where another provider has a group")
    func infersNoParentOfUndefined() async throws {
        let project = try Project(values: Project.plist(Self.group), manifest: nil)
        let catalogue = try await service(project, second: "<key>a</key><string>scalar</string>").catalogue()
        #expect(catalogue.entries.map(\.key.text) == ["a/locked", "a/plain", "a/secret"])
    }

    @Test("A group where a defined flag's one value should be is neither shown nor replaced nor removed")
    func keepsGroup() async throws {
        let values = Project.plist("<key>b</key><dict><key>inner</key><string>hush</string></dict>")
        let project = try Project(values: values, manifest: Self.manifest)
        let service = try project.service()
        let entry = try #require(try await service.catalogue()[.of("b")])
        guard case .broken(let problem, stored: nil) = entry.resolution["Local"] else {
            Issue.record("\(String(describing: entry.resolution["Local"]))")
            return
        }
        #expect(!problem.description.contains("hush"))
        for action in [Change.Action.setText("x"), .reset] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: .of("b"), action: action), by: Project.author)
            }
            #expect(refusal.reason == .invalid)
            #expect(!refusal.description.contains("hush"))
        }
        #expect(try project.text() == values)
    }

    @Test("A flag that is defined to hold a dictionary takes one and gives it up, and what is in it is no flag")
    func changesDictionary() async throws {
        let project = try Project(
            values: Project.plist("<key>c</key><dict><key>x</key><true/></dict>"), manifest: Self.manifest)
        let service = try project.service()
        #expect(try await service.catalogue()[.of("c", "x")] == nil)
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: .of("c", "x"), action: .reset), by: Project.author)
        }
        #expect(refusal.reason == .unknown)
        for action in [Change.Action.setText("{\"y\": 1}"), .reset] {
            _ = try await service.apply(Change(key: .of("c"), action: action), by: Project.author)
        }
        #expect(try service.rows().map(\.event.after) == [.dictionary(["y": .integer(1)]), nil])
    }

    @Test("A change reaches the definitions inside its key and the one around it, and no others")
    func reaches() throws {
        let project = try Project(manifest: Self.manifest)
        let workspace = Workspace(FlagFiles(values: project.file))
        let cases: [(FlagKeyPath, [String])] = [
            (.of("a"), ["a/locked", "a/secret"]), (.of("a", "locked", "x"), ["a/locked"]), (.of("a", "locked"), []),
            (.of("c"), []), (.of("aa"), []),
        ]
        for (key, reached) in cases {
            #expect(workspace.definitions(reachedFrom: key).map(\.key.text) == reached, "\(key)")
        }
    }

    @Test("A group of internal flags alone is named nowhere: not in the catalogue, the exports, or the history")
    func hidesGroups() async throws {
        let manifest = Project.manifest(
            [
                ("only/secret", "string", "<key>isInternal</key><true/>"), ("shared/flag", "bool", ""),
                ("shared/secret", "string", "<key>isInternal</key><true/>"),
            ], collections: ["only", "only/inner", "shared"])
        let project = try Project(values: Project.plist("<key>z</key><true/>"), manifest: manifest)
        let service = try project.service()
        #expect(Set(try await service.catalogue().collections.keys) == [.of("shared")])
        let export = try FlagManifest(source: try #require(try await service.exportedManifest()))
        #expect(export.collections.map(\.key) == [.of("shared")])
        #expect(try await service.overview().hiddenKeys.groups == [.of("only")])
        let shown = try Project(values: Project.plist("<key>z</key><true/>"), manifest: manifest)
        let open = try await shown.service(showsInternal: true).overview()
        #expect(Set(open.catalogue.collections.keys) == [.of("only"), .of("shared")])
        #expect(open.hiddenKeys == [])
    }

    @Test("Rows of what once stood in a flag that is internal now do not appear")
    func hidesFormerMembers() async throws {
        let values = Project.plist("<key>cfg</key><dict><key>apikey</key><string>old</string></dict>")
        let project = try Project(values: values, manifest: Project.manifest([("z", "bool", "")]))
        let service = try project.service()
        _ = try await service.apply(
            Change(key: .of("cfg", "apikey"), action: .setText("new")), by: Project.author)
        try project.writeManifest(Project.manifest([("cfg", "dictionary", "<key>isInternal</key><true/>")]))
        let hidden = try await service.overview().hiddenKeys
        #expect(try service.rows().contains { $0.event.key == .of("cfg", "apikey") })
        let page = try service.history.page(.init(hiddenKeys: hidden))
        #expect(page.records.map(\.event.key) == [.of("z")])
        #expect(page.total == 1)
    }
}
