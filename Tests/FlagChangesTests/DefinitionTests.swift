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
            manifest: workspace.definitions, snapshots: workspace.snapshots(isReadOnly: false),
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
