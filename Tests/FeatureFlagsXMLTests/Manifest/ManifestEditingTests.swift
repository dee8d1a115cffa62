import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Editing a manifest")
struct ManifestEditingTests {
    @Test(
        "A manifest whose entries were changed is what a fresh read of its bytes gives",
        arguments: 0..<4 as Range<UInt64>)
    func fields(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = (0..<20).map { FlagKeyPath(components: ["group\($0 % 3)", "flag\($0)"]) }
        var manifest = FlagManifest.empty()
        for key in keys { manifest = try manifest.adding(["key": .string(key.text), "type": "bool"], for: key) }
        var refused = 0
        for number in 0..<100 {
            let changes = (0..<generator.pick([1, 1, 3])).map { _ in generator.pick(keys) }
            let fields: [String: FlagValue?] = [
                "type": .string(generator.pick(["bool", "dictionary", "json", "string", "choice"])),
                "description": generator.pick([nil, "some text", "another"]),
                "isLocked": generator.pick([nil, .bool(true)]),
                "default": generator.pick([nil, nil, .bool(true), .dictionary(["a": 1])]),
            ]
            guard
                case .success(let next) = Result(catching: {
                    try manifest.setting(Set(changes).map { (key: $0, fields: fields) })
                })
            else {
                refused += 1
                continue
            }
            manifest = next
            let read = try FlagManifest(source: manifest.document.source)
            #expect(manifest.definitions == read.definitions, "seed \(seed), edit \(number)")
            #expect(manifest.dictionaryKeys == read.dictionaryKeys, "seed \(seed), edit \(number)")
            #expect(manifest.storedEntries == read.storedEntries, "seed \(seed), edit \(number)")
        }
        #expect(1..<90 ~= refused, "\(refused) edits were refused")
        #expect(manifest.document.wholeReads == 1)
    }

    @Test("An entry can take another key, and not that of another flag")
    func keys() throws {
        let (a, b) = (FlagKeyPath(components: ["a"]), FlagKeyPath(components: ["b"]))
        var manifest = FlagManifest.empty()
        for key in [a, b] { manifest = try manifest.adding(["key": .string(key.text), "type": "bool"], for: key) }
        let moved = try manifest.setting(["key": "c"], of: a)
        #expect(moved.definitions.map(\.key.text) == ["c", "b"])
        #expect(moved.definedKeys == Set([FlagKeyPath(components: ["c"]), b]))
        #expect(throws: FlagManifestError.self) { try manifest.setting(["key": "b"], of: a) }
        #expect(throws: FlagManifestError.self) { try manifest.setting(["type": "number"], of: a) }
    }

    @Test(
        "Flags that are added together stand and look as if they were added one by one",
        arguments: [
            "<array>\n\t\t<dict>\n\t\t\t<key>key</key>\n\t\t\t<string>a/x</string>\n\t\t\t<key>type</key>"
                + "\n\t\t\t<string>bool</string>\n\t\t</dict> <!-- mine -->\n\t\t<dict><key>key</key><string>c</string>"
                + "<key>type</key><string>bool</string></dict>\n\t</array>",
            "<array><dict><key>key</key><string>b/x</string> <key>type</key> <string>bool</string></dict> "
                + "<!-- b --><dict><key>key</key><string>a/b/x</string><key>type</key><string>bool</string></dict></array>",
            "<array>\r\n  <dict>\r\n    <key>key</key><string>a/x</string>\r\n    <key>type</key>"
                + "<string>bool</string>\r\n  </dict>\r\n</array>",
            "<array/>", "<array>\n\t</array>",
        ], 0..<6 as Range<UInt64>)
    func together(array: String, seed: UInt64) throws {
        let text =
            "<plist version=\"1.0\">\n<dict>\n\t<key>flags</key>\n\t\(array)\n\t<key>version</key><integer>1</integer>"
        let manifest = try FlagManifest(source: Data("\(text)\n</dict>\n</plist>\n".utf8))
        var generator = SeededGenerator(seed: seed)
        let names = ["a/y", "a/b/y", "a/b/z", "b/y", "d", "e/f/g", "e/h", "a/q/r", "b/c/d", "k", "a/b/w", "e/f/i"]
        let flags = names.shuffled(using: &generator).map { name in
            let fields: [String: FlagValue] = [
                "key": .string(name), "type": "string", "tags": ["<", "b"], "description": "é & more",
            ]
            return (key: FlagKeyPath(components: name.split(separator: "/").map(String.init)), fields: fields)
        }
        var oneByOne = manifest
        for flag in flags { oneByOne = try oneByOne.adding(flag.fields, for: flag.key) }
        let together = try manifest.adding(flags)
        #expect(
            String(decoding: together.document.source, as: UTF8.self)
                == String(decoding: oneByOne.document.source, as: UTF8.self))
        #expect(together.definitions == oneByOne.definitions)
    }
}
