import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@testable import FlagChanges

@Suite("One flag without all the others")
struct DefinitionTests {
    @Test("A flag is found by its key just where the list of flags has it, and is the same", arguments: [true, false])
    func findsSame(showsInternal: Bool) throws {
        let values = Project.plist(
            """
            <key>a</key><dict><key>b</key><true/><key>c</key><dict><key>d</key><integer>1</integer></dict></dict>
            <key>e</key><dict/><key>f</key><array><true/></array><key>g</key><string>x</string>
            <key>json</key><dict><key>inside</key><true/></dict><key>secret</key><dict><key>s</key><true/></dict>
            """)
        let flags = [
            ("json", "json", ""), ("secret", "dictionary", "<key>isInternal</key><true/>"), ("h/i", "bool", ""),
            ("g/below", "bool", ""),
        ]
        let project = try Project(values: values, manifest: Project.manifest(flags))
        let second = project.folder.appending(path: "second.xml")
        try Data(
            Project.plist(
                "<key>a</key><string>no group</string><key>g</key><dict><key>x</key><true/></dict><key>h</key><true/>"
            ).utf8
        ).write(to: second)
        let others = [FlagFiles.Provider(name: "Second", url: second, isWritable: true)]
        let workspace = Workspace(FlagFiles(values: project.file, others: others))
        let catalogue = FlagCatalogue(
            manifest: workspace.definitions?.content, snapshots: workspace.snapshots(isReadOnly: false),
            showsInternal: showsInternal)
        let texts = [
            "a", "a/b", "a/c", "a/c/d", "a/none", "e", "e/x", "f", "g", "g/x", "g/below", "h", "h/i", "json",
            "json/inside", "secret", "secret/s", "none",
        ]
        for key in texts.compactMap({ FlagKeyPath(text: $0) }) {
            #expect(
                workspace.definition(of: key, showsInternal: showsInternal) == catalogue[key]?.definition, "\(key)")
        }
        #expect(catalogue.entries.count >= 6)
    }
}

@Suite("The catalogue after a change of values")
struct ChangedCatalogueTests {
    /// What the values file holds, one after the other: values, spellings, types and groups change, and come and go.
    private static let states = [
        "<key>a</key><dict><key>b</key><true/></dict><key>free</key><integer>1</integer>",
        "<key>a</key><dict><key>b</key><false/></dict><key>free</key><integer>1</integer>",
        "<key>a</key><dict><key>b</key><string>no</string></dict><key>free</key><integer>2</integer>",
        "<key>a</key><integer>1</integer><key>free</key><string>text</string>",
        "<key>free</key><dict><key>inside</key><true/></dict>",
        "<key>caf\u{E9}</key><string>\u{E9}</string>",
        "<key>cafe\u{301}</key><string>\u{E9}</string>",
        "<key>cafe\u{301}</key><string>e\u{301}</string><key>secret</key><true/>",
        "",
    ]

    @Test("What is taken over from the catalogue before is what a new one has, whatever changed")
    func takesOver() throws {
        let flags = [
            ("a/b", "bool", ""), ("level", "integer", ""), ("secret", "bool", "<key>isInternal</key><true/>"),
        ]
        let project = try Project(values: Project.plist(""), manifest: Project.manifest(flags))
        func catalogue(_ state: String, after previous: FlagCatalogue? = nil) throws -> FlagCatalogue {
            try project.write(Project.plist(state))
            let workspace = Workspace(FlagFiles(values: project.file))
            return FlagCatalogue(
                manifest: workspace.definitions?.content, snapshots: workspace.snapshots(isReadOnly: false),
                showsInternal: false, previous: previous)
        }
        for before in Self.states {
            let previous = try catalogue(before)
            for after in Self.states {
                let (taken, new) = (try catalogue(after, after: previous), try catalogue(after))
                #expect(taken.entries == new.entries, "\(before) became \(after)")
                #expect(taken.entries.map { Data($0.key.text.utf8) } == new.entries.map { Data($0.key.text.utf8) })
                #expect(taken.providers == new.providers)
                for entry in new.entries { #expect(taken[entry.key] == entry) }
            }
        }
    }
}
