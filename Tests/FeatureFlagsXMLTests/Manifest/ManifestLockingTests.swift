import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Locking in a manifest")
struct ManifestLockingTests {
    private func manifest(_ entries: String) throws -> FlagManifest {
        try FlagManifest(
            source: Data(
                """
                <plist version="1.0">
                <dict>
                \t<key>version</key>
                \t<integer>1</integer>
                \t<key>flags</key>
                \t<array>
                \(entries)
                \t</array>
                </dict>
                </plist>

                """.utf8))
    }

    private static let other = "<dict><key>key</key><string>other</string><key>type</key><string>bool</string></dict>"

    @Test(
        "A lock is added as the definition is written, and taken away without a trace",
        arguments: [
            // Fields in order: the lock takes its place among them.
            (
                "<dict><key>key</key><string>a</string><key>type</key><string>bool</string></dict>",
                "<dict><key>isLocked</key><true/><key>key</key><string>a</string><key>type</key><string>bool</string></dict>"
            ),
            // Fields in another order: it comes last.
            (
                "<dict>\n\t<key>type</key>\n\t<string>bool</string>\n\t<!-- why -->\n\t<key>key</key>\n"
                    + "\t<string>a</string> <!-- it -->\n</dict>",
                "<dict>\n\t<key>type</key>\n\t<string>bool</string>\n\t<!-- why -->\n\t<key>key</key>\n"
                    + "\t<string>a</string> <!-- it -->\n\t<key>isLocked</key>\n\t<true/>\n</dict>"
            ),
        ])
    func addsAndRemoves(plain: String, locked: String) throws {
        let before = try manifest("\(Self.other)\n\(plain)")
        let after = try before.setting(["isLocked": .bool(true)], of: FlagKeyPath(components: ["a"]))
        #expect(after.definitions.map(\.metadata.isLocked) == [false, true])
        #expect(try manifest("\(Self.other)\n\(locked)").document.source == after.document.source)
        let unlocked = try after.setting(["isLocked": nil], of: FlagKeyPath(components: ["a"]))
        #expect(unlocked.document.source == before.document.source)
    }

    @Test("A lock that is written as false becomes true in its place")
    func replaces() throws {
        let entry = Self.other.replacingOccurrences(of: "<dict>", with: "<dict><key>isLocked</key><false/>")
        let after = try manifest(entry).setting(["isLocked": .bool(true)], of: FlagKeyPath(components: ["other"]))
        let wanted = try manifest(entry.replacingOccurrences(of: "<false/>", with: "<true/>"))
        #expect(after.document.source == wanted.document.source)
    }

    @Test("What is so already, or not defined, leaves the manifest as it is", arguments: ["other", "nothing"])
    func leaves(key: String) throws {
        let before = try manifest(Self.other)
        let after = try before.setting(["isLocked": nil], of: FlagKeyPath(components: [key]))
        #expect(after.document.source == before.document.source)
        let nothing = try before.setting(["isLocked": .bool(true)], of: FlagKeyPath(components: ["nothing"]))
        #expect(nothing.document.source == before.document.source)
    }
}
