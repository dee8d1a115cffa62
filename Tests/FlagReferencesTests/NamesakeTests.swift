import FeatureFlags
import Testing

@testable import FlagReferences
@testable import FlagReferencesTool

@Suite("Flags that no collection here declares")
struct NamesakeTests {
    private func places(
        _ source: String, _ keys: [String], generated: [String: String] = [:]
    ) throws -> [String] {
        let path = { (text: String) in try #require(FlagKeyPath(text: text)) }
        let names = Dictionary(uniqueKeysWithValues: try generated.map { (try path($0.key), $0.value) })
        let references = try FlagReferences(
            ["A": SourceReader.facts(in: source)], known: Set(keys.map(path)), generated: names)
        return references.places.sorted { $0.key < $1.key }.flatMap { key, found in
            found.map { "\(key) \($0.kind) \($0.position.line):\($0.position.column)" }
        }
    }

    @Test(
        "What the generator makes of a key path may be a use of it, of whatever the collection is known by",
        arguments: [
            ("func f(_ flags: FlagsLoader<ShopFlags>) { use(flags.oldFlow) }", "possible 1:53"),
            ("func f(_ flags: FlagsLoader<ShopFlags>) { use(flags.$oldFlow.isLocked) }", "possible 1:53"),
            ("func f(_ flags: ShopFlags) { use(flags.oldFlow) }", "namesake 1:40"),
            ("func f() { read(ShopFlags.Keys.oldFlow) }", "namesake 1:32"),
            ("let path = \\ShopFlags.oldFlow", "namesake 1:23"),
            ("func f() { flags.map { $0.oldFlow } }", "namesake 1:27"),
        ])
    func generated(_ source: String, _ wanted: String) throws {
        let key = "old.Flow!"
        #expect(try places(source, [key], generated: [key: "oldFlow"]) == ["\(key) \(wanted)"])
        #expect(try places(source, [key]) == [])
    }

    @Test(
        "A property of a plain type may be a use of the flag whose key path it has, by its name or its coding key",
        arguments: [
            ("dark_mode", "struct F: Decodable { let darkMode: Bool }\nfunc f(x: F) { use(x.darkMode) }", "2:22"),
            ("dark-mode", "struct F: Decodable { let darkMode: Bool }\nlet x = app.flags.darkMode", "2:19"),
            (
                "ui/darkMode", "struct F: Decodable { let darkMode: Bool }\nextension F { var on: Bool { darkMode } }",
                "2:30"
            ),
            (
                "ui/Dark Mode",
                "struct F: Decodable { enum CodingKeys: String, CodingKey { case dark = \"Dark Mode\" } }\nuse(x.dark)",
                "2:7"
            ),
            ("ui/darkMode", "enum F: String { case darkMode }\nuse(isOn(.darkMode))", "2:11"),
            ("ui/dark", "let x = all[\"ui\"]![\"dark\"]", "1:20"),
        ])
    func plain(_ key: String, _ source: String, _ place: String) throws {
        let found = try places(source, [key])
        #expect(found.contains("\(key) namesake \(place)"), "\(found)")
        #expect(found.allSatisfy { $0.contains("namesake") })
    }

    @Test("A declaration of its name by itself is no use of a flag, nor is a coding key")
    func declarations() throws {
        let source = """
            struct F: Decodable {
                let darkMode: Bool
                enum CodingKeys: String, CodingKey { case darkMode = "dark-mode" }
            }
            """
        let keys = ["dark-mode", "light-mode"]
        #expect(
            try places(source, keys)
                == ["dark-mode namesakeDeclaration 2:9", "dark-mode namesakeDeclaration 3:47"])
        let key = FlagKeyPath(components: ["dark-mode"])
        let references = try FlagReferences(["A": SourceReader.facts(in: source)], known: [key])
        #expect(!references.isUsed(key))
    }

    @Test("What only has a flag's name is nothing where more is known of the flag, and where it is called")
    func certain() throws {
        let source = """
            struct F: Decodable { let darkMode: Bool }
            func f(x: F) { use(x.darkMode); use("dark_mode"); use(x.other(), .other()) }
            """
        #expect(try places(source, ["dark_mode", "other"]) == ["dark_mode key 2:37"])
    }
}
