import FeatureFlags
import Foundation
import Testing

@Suite("Kinds that JSON can't tell")
struct KeptKindsTests {
    private static let (first, second) = (date("2027-04-05"), date("2027-12-25"))
    private static let third = date("2028-02-29")
    private static let bytes = FlagValue.data(Data([0, 1, 2]))

    private static func date(_ text: String) -> FlagValue {
        .date(FlagDate.parse(text) ?? .distantPast)
    }

    /// What a flag holds once JSON is stored in place of a value, by the way of programs and by that of people.
    private func stored(_ json: String, over old: FlagValue?, _ type: FlagType, default value: FlagValue? = nil) throws
        -> FlagValue
    {
        let flag = FlagDefinition(key: try #require(FlagKeyPath(text: "k")), type: type, defaultValue: value)
        let program = try flag.parse(json: FlagJSON.document(json), replacing: old)
        #expect(try flag.parse(json, replacing: old) == program)
        return program
    }

    @Test(
        "What is not edited stays what it is, wherever it stands now",
        arguments: [
            (#"["2027-12-25T00:00:00Z"]"#, [second]),
            (#"["2027-12-25T00:00:00Z","2027-04-05T00:00:00Z"]"#, [second, first]),
            (#"["2028-02-29T00:00:00Z","2027-04-05T00:00:00Z","2027-12-25T00:00:00Z"]"#, [third, first, second]),
            (#"["2027-04-05","2028-02-29T00:00:00Z"]"#, [first, third]),
            (#"["2027-04-05T00:00:00Z","2027-12-25T00:00:00Z","soon"]"#, [first, second, "soon"]),
            (#"[]"#, []),
        ] as [(String, FlagValue)])
    func arrays(json: String, value: FlagValue) throws {
        #expect(try stored(json, over: [Self.first, Self.second], .array) == value)
    }

    @Test("Elements that change places keep their kinds, though they differ in kind")
    func exchanged() throws {
        let mixed: [FlagValue] = [2.5, 2.0, 16, "x & y", Self.first, Self.bytes, "s"]
        let json = #"["s","AAEC","2027-04-05T00:00:00Z","x & y",16,2,2.5]"#
        let stored = try stored(json, over: .array(mixed), .array)
        #expect(stored == .array(mixed.reversed()))
        #expect(RetypedPart.parts(of: stored, since: .array(mixed)).isEmpty)
    }

    @Test("So do dictionaries that change places, also one that is edited on the way")
    func exchangedDictionaries() throws {
        let old: [FlagValue] = [
            ["id": 1, "at": Self.second], ["id": 2, "at": "2027-12-25T00:00:00Z"],
            ["id": 3, "blob": Self.bytes, "at": "2027-12-26T00:00:00Z"],
        ]
        let json = #"""
            [{"id":3,"blob":"AAEC","at":"2027-12-27T00:00:00Z"},{"id":2,"at":"2027-12-25T00:00:00Z"},
            {"id":1,"at":"2027-12-25T00:00:00Z"}]
            """#
        let new: FlagValue = [["id": 3, "blob": Self.bytes, "at": "2027-12-27T00:00:00Z"], old[1], old[0]]
        #expect(try stored(json, over: .array(old), .array) == new)
        #expect(RetypedPart.parts(of: new, since: .array(old)).isEmpty)
    }

    @Test("A broken date that is mended stays a date of the property list")
    func mended() throws {
        let broken = FlagValue.broken(BrokenFlagValue(kind: .date, text: "2027-02-30T00:00:00Z"))
        let flag = FlagDefinition(key: try #require(FlagKeyPath(text: "k")), type: .date)
        #expect(try flag.parse("2027-04-05T00:00:00Z", replacing: broken) == Self.first)
        #expect(try flag.parse(json: .scalar("2027-04-05T00:00:00Z"), replacing: broken) == Self.first)
        #expect(try flag.parse("2027-04-05T00:00:00Z", replacing: "2027-02-30") == "2027-04-05T00:00:00Z")
    }

    @Test("Entries of dictionaries in arrays keep their kinds, and new ones take those of their siblings")
    func dictionaries() throws {
        let old: FlagValue = [
            ["name": "one", "secret": Self.bytes, "rate": 1.0],
            ["name": "two", "secret": .data(Data([3])), "rate": 2.5],
        ]
        let json = #"[{"name":"two","secret":"Aw==","rate":2.5},{"name":"new one","secret":"AAEC","rate":3}]"#
        #expect(
            try stored(json, over: old, .array) == [
                ["name": "two", "secret": .data(Data([3])), "rate": 2.5],
                ["name": "new one", "secret": Self.bytes, "rate": 3.0],
            ])
    }

    @Test(
        "A new entry of a dictionary is of the kind that all others have",
        arguments: [
            (["a": first], #"{"a":"2027-04-05T00:00:00Z","b":"2027-12-25"}"#, ["a": first, "b": second]),
            (["a": first], #"{"b":"2027-04-05T00:00:00Z"}"#, ["b": first]),
            (
                ["a": first, "n": "x"], #"{"a":"2027-12-25","n":"x","b":"2027-12-25"}"#,
                ["a": second, "n": "x", "b": "2027-12-25"]
            ),
            (["a": bytes], #"{"a":"AAEC","b":"word"}"#, ["a": bytes, "b": "word"]),
            (["a": bytes, "c": bytes], #"{"a":"AAEC","c":"AAEC","b":"AAEC"}"#, ["a": bytes, "c": bytes, "b": bytes]),
            (["a": 1.5], #"{"a":2,"b":3}"#, ["a": 2.0, "b": 3.0]), (["a": 1], #"{"a":2.5,"b":3}"#, ["a": 2.5, "b": 3]),
        ] as [(FlagValue, String, FlagValue)])
    func entries(old: FlagValue, json: String, value: FlagValue) throws {
        #expect(try stored(json, over: old, .dictionary) == value)
        #expect(try stored(json, over: old, .json) == value)
    }

    @Test("Where nothing is stored, the default says the kinds")
    func defaults() throws {
        #expect(try stored(#"["2028-02-29"]"#, over: nil, .array, default: [Self.first]) == [Self.third])
        #expect(try stored(#"["2028-02-29"]"#, over: nil, .array) == ["2028-02-29"])
    }

    @Test(
        "The parts that an edit makes another kind of value are told, with what they were",
        arguments: [
            ([first, second], [second], []), ([first, second], [first, "soon"], ["/1 (date → string)"]),
            ([first, second], [first, second, "soon"], ["/2 (new: string, the others: date)"]),
            ([first, "x"], [first, "x", 1], []), (["a": ["b": bytes]], ["a": ["b": "?"]], ["/a/b (data → string)"]),
            (["a": 1.5], ["a": true], ["/a (real → boolean)"]), ("x", 1, []),
            (
                [["k": bytes, "c": "one"], ["k": bytes]],
                [["k": bytes, "c": "one"], ["k": bytes], ["k": "?", "c": "x"]],
                ["/2/k (new: string, the others: data)"]
            ),
        ] as [(FlagValue, FlagValue, [String])])
    func retyped(old: FlagValue, new: FlagValue, parts: [String]) {
        #expect(RetypedPart.parts(of: new, since: old).map(\.description) == parts)
        #expect(RetypedPart.parts(of: old, since: old).isEmpty)
    }

    @Test("A broken part that is not edited stays, and keeps its array from being valid")
    func brokenParts() throws {
        let broken = FlagValue.broken(BrokenFlagValue(kind: .date, text: "soon"))
        let problem = try #require(throws: FlagValueError.self) {
            try stored(#"["soon","2027-12-25"]"#, over: [broken, Self.first], .array)
        }
        #expect(problem.description.contains("at /0: \"soon\" is not a date"))
        #expect(try stored(#"["2027-12-25"]"#, over: [broken], .array) == [Self.second])
        #expect(try FlagValue(encodedText: broken.encodedText()) == broken)
        #expect([String](encoded: [broken]) == nil && FlagJSON.line([broken]) == #"["soon"]"#)
        #expect(throws: FlagValueError.self) { try FlagValue.decode([broken]) }
    }

    @Test(
        "JSON that looks right and isn't is refused with the character that it is about",
        arguments: [
            ("{“a”: 1}", "column 2", "the quote “ (U+201C)"), ("{'a': 1}", "column 2", "the quote '"),
            ("{\"a\":\u{A0}1}", "column 6", "no-break space, U+00A0"),
            ("{\"a\"：1}", "column 5", "(fullwidth colon, U+FF1A) with :"), ("[−1]", "column 2", "U+2212) with -"),
            ("\u{FEFF}{\"a\":1}", "column 1", "byte order mark (U+FEFF)"),
            ("[1,\u{200B}2]", "column 4", "zero width space, U+200B"),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", "column 8", "U+00E9 in one of them and U+0065 U+0301 in the other"),
        ])
    func lookalikes(json: String, place: String, character: String) throws {
        let problem = try #require(throws: FlagValueError.self) { try FlagJSON.document(json) }
        #expect(problem.description.contains(place) && problem.description.contains(character), "\(problem)")
    }
}
