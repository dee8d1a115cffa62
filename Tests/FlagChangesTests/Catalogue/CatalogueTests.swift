import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation
import Testing

@Suite("The catalogue and the exports")
struct CatalogueTests {
    let project: Project

    init() throws { project = try Project() }

    @Test("Flags come by group, those of a group before the groups in it, and internal ones not at all")
    func orders() async throws {
        let catalogue = try await project.service().catalogue()
        #expect(
            catalogue.entries.map(\.key.text) == [
                "options", "stray", "checkout/enabled", "checkout/limit", "checkout/region", "checkout/fast",
                "blocked/inner",
            ])
        #expect(catalogue[.of("hidden", "token")] == nil)
    }

    @Test("Values without a definition are flags of the type that they look like; a defined dictionary is one flag")
    func infers() async throws {
        let catalogue = try await project.service().catalogue()
        let stray = try #require(catalogue[.of("stray")])
        #expect(!stray.isDefined)
        #expect(stray.definition.type == .string)
        #expect(catalogue[.of("options", "depth")] == nil)
        #expect(catalogue[.of("options")]?.resolution.effectiveValue == .dictionary(["depth": .integer(2)]))
        let withoutManifest = try Project(manifest: nil)
        let bare = try await withoutManifest.service().catalogue()
        #expect(
            bare.entries.map(\.key.text) == [
                "blocked", "stray", "checkout/enabled", "checkout/limit", "checkout/region", "hidden/token",
                "options/depth",
            ])
        #expect(bare.entries.allSatisfy { !$0.isDefined })
    }

    @Test("A value that stands where a group should be makes the flags below it broken, not absent")
    func showsBlockedFlags() async throws {
        let entry = try #require(try await project.service().catalogue()[.of("blocked", "inner")])
        #expect(entry.resolution.isBroken)
        #expect(entry.state == .noValue)
    }

    @Test(
        "A value is an override where its provider takes changes, even if the service takes none",
        arguments: [(true, FlagState.overridden), (false, .byDefault)], [false, true])
    func overrides(other: (isWritable: Bool, state: FlagState), isReadOnly: Bool) async throws {
        let project = try Project(
            values: Project.plist("<key>own</key><integer>1</integer>"),
            manifest: Project.manifest([("own", "integer", ""), ("fee", "integer", "")]))
        let url = project.folder.appending(path: "team.xml")
        try Data(Project.plist("<key>fee</key><integer>7</integer>").utf8).write(to: url)
        let catalogue = try await project.service(
            isReadOnly: isReadOnly,
            others: [FlagFiles.Provider(name: "Team", url: url, isWritable: other.isWritable)]
        ).catalogue()
        let fee = try #require(catalogue[.of("fee")])
        #expect(fee.resolution.source == .provider("Team") && fee.resolution.effectiveValue == .integer(7))
        #expect(fee.state == other.state && fee.resolution.isOverridden == other.isWritable)
        #expect(catalogue[.of("own")]?.state == .overridden)
    }

    @Test("The exported values are the file's bytes less the internal entries")
    func exportsValues() async throws {
        let service = try project.service()
        let hidden = "\t<key>hidden</key>\n\t<dict>\n\t\t<key>token</key>\n\t\t<string>secret</string>\n\t</dict>\n"
        #expect(Project.values.contains(hidden))
        #expect(
            String(decoding: try await service.exportedValues().data, as: UTF8.self)
                == Project.values.replacingOccurrences(of: hidden, with: ""))
        let plain = try Project(manifest: nil)
        #expect(try await plain.service().exportedValues().data == Data(Project.values.utf8))
        let shown = try Project()
        #expect(try await shown.service(showsInternal: true).exportedValues().data == Data(Project.values.utf8))
    }

    @Test("The exported manifest holds no internal flag; without a manifest there is none")
    func exportsManifest() async throws {
        let data = try #require(try await project.service().exportedManifest())
        let manifest = try FlagManifest(source: data)
        #expect(!manifest.definitions.contains { $0.metadata.isInternal })
        #expect(manifest.definitions.count == 6)
        let withoutManifest = try Project(manifest: nil)
        #expect(try await withoutManifest.service().exportedManifest() == nil)
    }

    @Test("The exported effective values hold overrides and defaults, and leave out what has no value")
    func exportsEffectiveValues() async throws {
        let data = try await project.service().exportedEffectiveValues().data
        let document = try PropertyListDocument(source: data)
        #expect(
            document.root
                == .dictionary([
                    "checkout": .dictionary([
                        "enabled": .bool(true), "fast": .bool(true), "limit": .integer(5), "region": .string("north"),
                    ]),
                    "options": .dictionary(["depth": .integer(2)]),
                    "stray": .string("nobody defined me"),
                ]))
    }
}
