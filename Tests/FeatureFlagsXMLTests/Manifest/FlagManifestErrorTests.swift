import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Wrong manifests")
struct FlagManifestErrorTests {
    private func problems(_ source: Data) throws -> [String] {
        let error = try #require(throws: FlagManifestError.self) { try FlagManifest(source: source) }
        #expect(error.description == error.problems.map(\.description).joined(separator: "\n"))
        return error.problems.map(\.description)
    }

    @Test(
        "What is no manifest at all is refused with its place",
        arguments: [
            (
                "<plist><array/></plist>",
                "line 1, column 8: found array, expected a dictionary with version, flags and collections"
            ),
            ("<plist><dict/></plist>", "line 1, column 8: version: missing; expected the integer 1"),
            (
                "<plist><dict>\n<key>version</key><integer>2</integer></dict></plist>",
                "line 2, column 19: version: found integer 2, expected the integer 1"
            ),
            (
                "<plist><dict>\n<key>version</key><string>1</string></dict></plist>",
                "line 2, column 19: version: found string \"1\", expected the integer 1"
            ),
            (
                "<plist><dict><key>version</key><integer>1</integer>\n<key>flags</key><dict/></dict></plist>",
                "line 2, column 17: flags: found a dictionary of 0 entries, expected an array of dictionaries"
            ),
            (
                "<plist><dict><key>version</key><integer>1</integer>\n<key>collections</key><array>\n<true/></array></dict></plist>",
                "line 3, column 1: collections[0]: found boolean true, expected a dictionary"
            ),
        ])
    func refuses(text: String, problem: String) throws {
        #expect(try problems(Data(text.utf8)) == [problem])
    }

    @Test("A file that is no property list is refused as such")
    func noPropertyList() throws {
        let error = try #require(throws: FlagManifestError.self) {
            try FlagManifest(source: Data("<plist>\n<dict>".utf8))
        }
        #expect(error.problems.isEmpty)
        #expect(error.description.contains("line 2"))
    }

    @Test(
        "A field of the wrong kind is named with its flag, its line and what is wanted",
        arguments: [
            ("name", "<integer>1</integer>", "found integer 1, expected a string"),
            ("description", "<true/>", "found boolean true, expected a string"),
            ("isLocked", "<integer>1</integer>", "found integer 1, expected <true/> or <false/>"),
            ("isInternal", "<string>true</string>", "found string \"true\", expected <true/> or <false/>"),
            ("requiresRestart", "<real>1</real>", "found real 1.0, expected <true/> or <false/>"),
            ("order", "<real>1</real>", "found real 1.0, expected an integer"),
            (
                "computed", "<string>all</string>",
                "\"all\" is not a valid value of computed; expected value or default"
            ),
            ("excludedProviders", "<string>a</string>", "found string \"a\", expected an array of strings"),
            ("isOptional", "<integer>1</integer>", "found integer 1, expected <true/> or <false/>"),
            (
                "order", "<integer>18446744073709551615</integer>",
                "found integer 18446744073709551615, expected an integer"
            ),
            ("icon", "<array/>", "found an array of 0 elements, expected a string"),
            ("tags", "<string>a</string>", "found string \"a\", expected an array of strings"),
            ("tags", "<array><integer>1</integer></array>", "found integer 1, expected a string in the array"),
            ("owner", "<data/>", "found data of 0 bytes, expected a string"),
            ("expires", "<integer>2026</integer>", "found integer 2026, expected a date like 2026-01-31T12:00:00Z"),
            (
                "expires", "<string>2026-02-30</string>",
                "found string \"2026-02-30\", expected a date like 2026-01-31T12:00:00Z"
            ),
            ("minimum", "<string>1</string>", "found string \"1\", expected a number"),
            ("minimum", "<real>nan</real>", "found real nan, expected a number"),
            ("maximum", "<real>inf</real>", "found real inf, expected a number"), ("maximum", "<real>0.5</real>", nil),
            ("choices", "<string>a</string>", "found string \"a\", expected an array of values"),
            (
                "choices", "<array><dict/></array>",
                "found a dictionary of 0 entries, expected a string or a number in the array"
            ),
            ("choices", "<array><true/></array>", "found boolean true, expected a string or a number in the array"),
            ("choices", "<array><integer>1</integer><string>1</string></array>", "duplicate value \"1\""),
            ("userInfo", "<array/>", "found an array of 0 elements, expected a dictionary"),
            ("suggestions", "<integer>1</integer>", "found integer 1, expected an array of values"),
            (
                "default", "<real>0.5</real>",
                "found real 0.5, expected a whole number between -9223372036854775808 and 18446744073709551615"
            ),
            ("pattern", "<string>a</string>", "only a string or a url can have one, and the type is integer"),
        ] as [(String, String, String?)])
    func fields(field: String, element: String, reason: String?) throws {
        let flag = """
            <dict><key>key</key><string>checkout/limit</string><key>type</key><string>integer</string>
              <key>\(field)</key>
              \(element)</dict>
            """
        guard let reason else {
            _ = try FlagManifest(source: manifestSource(flags: flag))
            return
        }
        #expect(try problems(manifestSource(flags: flag)) == ["line 6, column 3: checkout/limit, \(field): \(reason)"])
    }

    @Test(
        "A field that does not go with the type is named",
        arguments: [
            (
                "bool", "<key>minimum</key><integer>1</integer>",
                "minimum: only an integer or a double can have one, and the type is bool"
            ),
            (
                "string", "<key>maximum</key><integer>1</integer>",
                "maximum: only an integer or a double can have one, and the type is string"
            ),
            ("string", "<key>pattern</key><string>[</string>", "pattern: \"[\" is not a valid regular expression"),
            ("url", "<key>pattern</key><string>a)|(b</string>", "pattern: \"a)|(b\" is not a valid regular expression"),
            (
                "choice", "<key>choices</key><array/>",
                "choices: add at least one choice"
            ),
            (
                "json", "<key>properties</key><true/>",
                "properties: found boolean true, expected a dictionary of schemas by name"
            ),
            ("array", "<key>items</key><true/>", "items: found boolean true, expected a dictionary with a type"),
            (
                "array", "<key>items</key><dict><key>type</key><string>byte</string></dict>",
                "type: \"byte\" is not a type; expected one of bool, integer, double, string, date, data, url, choice, array, "
                    + "dictionary, json"
            ),
            (
                "integer", "<key>items</key><dict/>",
                "items: only a flag of the type array, dictionary or json can have them, and the type is integer"
            ),
            (
                "string", "<key>format</key><string>int8</string>",
                "format: only an integer or a double can have one, and the type is string"
            ),
            (
                "double", "<key>format</key><string>int8</string>",
                "format: \"int8\" is not a valid format for the type double; expected float"
            ),
        ])
    func typesAndFields(type: String, entry: String, reason: String) throws {
        let flag = "<dict><key>key</key><string>a</string><key>type</key><string>\(type)</string>\n\(entry)</dict>"
        let problems = try problems(manifestSource(flags: flag))
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("line 5, column ") == true)
        #expect(problems.first?.hasSuffix(": a, \(reason)") == true)
    }

    @Test(
        "A suggestion that the flag can't have is named at its place",
        arguments: [
            ("integer", "<integer>1</integer>\n<true/>", 6, "found boolean true, expected a whole number of 0 or more"),
            ("integer", "<integer>-1</integer>", 5, "must be 0 or more"),
            ("integer", "<integer>1</integer>\n<string>1</string>", 6, "duplicate value integer 1"),
            ("bool", "<true/>", 5, "a bool can't have suggestions: true and false are already offered"),
            ("choice", "<string>a</string>", 5, "a choice can't have suggestions: its choices are already offered"),
        ])
    func suggestions(type: String, values: String, line: Int, reason: String) throws {
        let more =
            switch type {
            case "integer": "<key>minimum</key><integer>0</integer>"
            case "choice": "<key>choices</key><array><string>a</string></array>"
            default: ""
            }
        let flag = """
            <dict><key>key</key><string>a</string><key>type</key><string>\(type)</string>\(more)<key>suggestions</key><array>
            \(values)</array></dict>
            """
        #expect(
            try problems(manifestSource(flags: flag)) == ["line \(line), column 1: a, suggestions: \(reason)"])
    }

    @Test("A missing or wrong key or type is named with the flag's place in the array")
    func keyAndType() throws {
        let types = "bool, integer, double, string, date, data, url, choice, array, dictionary, json"
        let flags = """
            <dict><key>type</key><string>bool</string></dict>
            <dict><key>key</key><integer>1</integer><key>type</key><string>bool</string></dict>
            <dict><key>key</key><string>a~</string><key>type</key><string>bool</string></dict>
            <dict><key>key</key><string/><key>type</key><string>bool</string></dict>
            <dict><key>key</key><string>a</string></dict>
            <dict><key>key</key><string>b</string><key>type</key><string>Bool</string></dict>
            """
        #expect(
            try problems(manifestSource(flags: flags)) == [
                "line 4, column 1: flags[0], key: missing; expected a key path like checkout/new_button",
                "line 5, column 21: flags[1], key: found integer 1, expected a key path like checkout/new_button",
                "line 6, column 21: a~, key: \"a~\" is not a valid key path: join at most 64 components with /, and write ~ as ~0",
                "line 7, column 21: flags[3], key: \"\" is not a valid key path: join at most 64 components with /, and write ~ as ~0",
                "line 8, column 1: a, type: missing; expected one of \(types)",
                "line 9, column 54: b, type: \"Bool\" is not a type; expected one of \(types)",
            ])
    }

    @Test("A flag may not be defined twice, nor stand inside another one")
    func clashes() throws {
        let flags = ["a", "b/c", "a", "b/c/d", "b"].map {
            "<dict><key>key</key><string>\($0)</string><key>type</key><string>bool</string></dict>"
        }
        #expect(
            try problems(manifestSource(flags: flags.joined(separator: "\n"))) == [
                "line 5, column 21: b/c, key: is inside the flag b, which can't be both a flag and a group",
                "line 6, column 21: a, key: duplicate definition: the first one is at line 4",
                "line 7, column 21: b/c/d, key: is inside the flag b, which can't be both a flag and a group",
            ])
    }

    @Test("A limit above the other, and a default outside of them, are named")
    func limits() throws {
        let flag = """
            <dict><key>key</key><string>a</string><key>type</key><string>integer</string>
            <key>minimum</key><integer>5</integer>
            <key>maximum</key><real>1.5</real>
            <key>default</key><integer>3</integer></dict>
            """
        #expect(
            try problems(manifestSource(flags: flag)) == [
                "line 5, column 19: a, minimum: 5 is greater than the maximum",
                "line 7, column 19: a, default: must be 5 or more",
            ])
    }

    @Test("Groups are checked as flags are")
    func groups() throws {
        let groups = """
            <key>collections</key><array>
            <dict><key>name</key><string>A</string></dict>
            <dict><key>key</key><string>a</string><key>order</key><string>1</string></dict>
            <dict><key>key</key><string>a</string></dict>
            </array>
            """
        #expect(
            try problems(manifestSource(flags: "", more: groups)) == [
                "line 6, column 1: collections[0], key: missing; expected a key path like checkout/new_button",
                "line 7, column 55: a, order: found string \"1\", expected an integer",
                "line 8, column 21: a, key: duplicate definition: the first one is at line 7",
            ])
    }

    @Test("Of a manifest that is wrong everywhere, the first problems are told and the others counted")
    func manyProblems() throws {
        let source = manifestSource(flags: String(repeating: "<true/>\n", count: 20_000))
        let error = try #require(throws: FlagManifestError.self) { try FlagManifest(source: source) }
        #expect(error.problems.count == 50 && error.problems.first?.location?.line == 4)
        #expect(error.description.hasSuffix("\n… and 19950 more problems"))
    }

    @Test("A key, a type or a pattern that is too long is not repeated in the message")
    func longTexts() throws {
        let long = String(repeating: "x", count: 5000)
        let flags = """
            <dict><key>key</key><string>\(long)</string><key>type</key><string>bool</string></dict>
            <dict><key>key</key><string>a</string><key>type</key><string>\(long)</string></dict>
            <dict><key>key</key><string>b</string><key>type</key><string>string</string><key>pattern</key><string>\(long)</string></dict>
            """
        let problems = try problems(manifestSource(flags: flags))
        #expect(problems.count == 3 && problems.allSatisfy { $0.count < 300 })
        #expect(problems[0].hasSuffix("flags[0], key: is longer than 4096 bytes; shorten it"))
        #expect(problems[1].contains("a, type: text of 5000 characters is not a type"))
        #expect(problems[2].hasSuffix("b, pattern: is longer than 1000 characters; shorten it"))
    }

    @Test("One report names every problem of every flag and group, in the file's order")
    func severalProblems() throws {
        let flags = """
            <dict><key>key</key><string>a</string><key>type</key><string>bol</string>
            <key>isLocked</key><integer>1</integer>
            <key>tags</key><array><true/><integer>1</integer></array></dict>
            <dict><key>type</key><string>integer</string>
            <key>order</key><string>1</string></dict>
            """
        let error = try #require(throws: FlagManifestError.self) {
            try FlagManifest(source: manifestSource(flags: flags, more: "<key>collections</key><true/>"))
        }
        #expect(error.problems.compactMap(\.location?.line) == [4, 5, 6, 6, 7, 8, 9])
        #expect(error.problems.map(\.subject) == ["a", "a", "a", "a", "flags[1]", "flags[1]", nil])
        #expect(error.problems.map(\.field) == ["type", "isLocked", "tags", "tags", "key", "order", "collections"])
    }
}
