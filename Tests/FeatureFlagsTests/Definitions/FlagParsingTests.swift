import FeatureFlags
import Foundation
import Testing

@Suite("Reading what a person typed")
struct FlagParsingTests {
    private static let date = Date(timeIntervalSince1970: 1_769_860_800)
    private static let choices = FlagConstraints(choices: [.string("small"), .integer(1), .double(0.5), .double(2)])

    @Test(
        "Text is read as a value in the form in which it is stored",
        arguments: [
            (.bool, "true", .bool(true)), (.bool, " false\n", .bool(false)),
            (.bool, "YES", .bool(true)), (.bool, "off", .bool(false)), (.integer, "42", .integer(42)),
            (.integer, " -1 ", .integer(-1)),
            (.integer, "18446744073709551615", .integer(Int128(UInt64.max))), (.double, "5", .double(5)),
            (.double, " 1e-3", .double(0.001)),
            (.double, "nan", .double(.nan)), (.string, "", .string("")), (.string, " a\n", .string(" a\n")),
            (.url, " https://example.com/ ", .string("https://example.com/")),
            (.date, "2026-01-31T14:00:00+02:00", .string("2026-01-31T12:00:00Z")),
            (.date, " 2026-01-31 ", .string("2026-01-31T00:00:00Z")),
            (.date, "2026-01-31 12:30", .string("2026-01-31T12:30:00Z")),
            (.date, "2026-01-31T12:30+01:00", .string("2026-01-31T11:30:00Z")),
            (.data, "AAEC", .data(Data([0, 1, 2]))),
            (.data, " AA\n E= ", .data(Data([0, 1]))), (.data, "", .data(Data())),
            (.choice, "small", .string("small")), (.choice, "1", .integer(1)), (.choice, "0.5", .double(0.5)),
            (.choice, "2", .double(2)),
            (.array, "[1, \"a\"]", .array([.integer(1), .string("a")])),
            (.dictionary, "{\"a\": {}}", .dictionary(["a": .dictionary([:])])),
            (.json, "[]", .array([])), (.json, "{\"a\": 0.5}", .dictionary(["a": .double(0.5)])),
        ] as [(FlagType, String, FlagValue)])
    func reads(type: FlagType, text: String, value: FlagValue) throws {
        #expect(try flag(type, Self.choices).parse(text) == value)
    }

    @Test(
        "Text that says no value of the type is refused with what would",
        arguments: [
            (.bool, "", "enter true or false"),
            (.bool, "maybe", "\"maybe\" is invalid: enter true or false"),
            (
                .integer, "1.0",
                "\"1.0\" is invalid: enter a whole number between -9223372036854775808 and 18446744073709551615; did you mean 1?"
            ),
            (
                .integer, "18446744073709551616",
                "\"18446744073709551616\" is invalid: enter a whole number between -9223372036854775808 and 18446744073709551615"
            ),
            (.integer, "", "enter a whole number between -9223372036854775808 and 18446744073709551615"),
            (.double, "1,5", "\"1,5\" is invalid: enter a number; did you mean 1.5?"),
            (.double, "1,500", "\"1,500\" is invalid: enter a number; did you mean 1500 or 1.500?"),
            (.double, "1.000,5", "\"1.000,5\" is invalid: enter a number; did you mean 1000.5?"),
            (.double, "0x10", "\"0x10\" is invalid: enter a number; did you mean 16?"),
            (.double, "1,5 kg", "\"1,5 kg\" is invalid: enter a number"),
            (.double, "1e999", "\"1e999\" is invalid: enter a number"),
            (.double, "", "enter a number"),
            (.date, "2026-02-30", "\"2026-02-30\" is invalid: enter a date like 2026-01-31T12:00:00Z"),
            (.date, "", "enter a date like 2026-01-31T12:00:00Z"),
            (.data, "85 20\nF0 09", "enter data in base64; this looks like hexadecimal"),
            (.data, "A", "\"A\" is invalid: enter data in base64"),
            (.data, "é", "\"é\" is invalid: enter data in base64"),
            (.data, "AAAA=", "\"AAAA=\" is invalid: enter data in base64"),
            (.url, "a b", "\"a b\" is invalid: must be a URL like https://example.com/path"),
            (
                .choice, "large",
                "string \"large\" is invalid: must be one of: small, 1, 0.5, 2"
            ),
            (.array, "{}", "found a dictionary of 0 entries, expected an array"),
            (.dictionary, "[]", "found an array of 0 elements, expected a dictionary"),
            (.json, "5", "found integer 5, expected a JSON object or array"),
            (
                .json, "[null]",
                "null at /0: a property list can't store null; remove the entry, or set storage to data in the flag's definition"
            ),
        ] as [(FlagType, String, String)])
    func refuses(type: FlagType, text: String, message: String) throws {
        let problem = try #require(throws: FlagValueError.self) { try flag(type, Self.choices).parse(text) }
        #expect(problem.description == message)
    }

    @Test(
        "A refused number is offered as what it may mean, if the flag allows that",
        arguments: [
            ("0xff", "; did you mean 255?"), ("1,000", "; did you mean 1000?"), ("1 000", "; did you mean 1000?"),
            ("\u{2212}5", "; did you mean -5?"), ("1,5", ""), ("2,000,000", ""),
        ])
    func offers(text: String, question: String) {
        #expect(throws: FlagValueError("\"\(text)\" is invalid: enter a whole number of 1000 or less\(question)")) {
            try flag(.integer, FlagConstraints(maximum: 1000)).parse(text)
        }
    }

    @Test("A choice that is a number is taken however it is written, in text and in JSON")
    func choicesOfNumbers() throws {
        let wholes = flag(.choice, FlagConstraints(choices: [1, 2, 3]))
        #expect(try wholes.parse(" 2 ") == 2)
        #expect(try wholes.parse(json: FlagJSON.document("2.0")) == 2)
        for text in ["\"2\"", "2.5", "4", "100000000000000000000"] {
            #expect(throws: FlagValueError.self) { try wholes.parse(json: FlagJSON.document(text)) }
        }
        let reals = flag(.choice, FlagConstraints(choices: [0.5, .double(1), .double(1e20)]))
        #expect(try reals.parse("1.0") == .double(1))
        #expect(try reals.parse(json: FlagJSON.document("1")) == .double(1))
        #expect(try reals.parse(json: FlagJSON.document("100000000000000000000")) == .double(1e20))
        #expect(throws: FlagValueError("string \"2\" is invalid: must be one of: 0.5, 1, 100000000000000000000")) {
            try reals.parse("2")
        }
        let list = flag(.array, FlagConstraints(items: wholes.schema))
        #expect(try list.parse("[2.0, 3]") == [2, 3])
    }

    @Test("A number's long integer in JSON is stored as the real that an app reads, and no other type's is")
    func longIntegers() throws {
        let digits = "100000000000000000000"
        let real = FlagValue.double(1e20)
        let long = try FlagJSON.document(digits)
        #expect(try flag(.double).parse(json: long) == real)
        let number = FlagSchema(type: .double)
        for type in [FlagType.array, .dictionary] {
            let flag = flag(type, FlagConstraints(items: number))
            let text = type == .array ? "[1.5, \(digits)]" : "{\"a\": \(digits)}"
            let stored: FlagValue = type == .array ? [1.5, real] : ["a": real]
            #expect(try flag.parse(text) == stored)
            #expect(try flag.parse(json: FlagJSON.document(text)) == stored)
        }
        let object = flag(.json, FlagConstraints(properties: ["a": number, "b": FlagSchema(type: .integer)]))
        #expect(try object.parse("{\"a\": \(digits), \"b\": 1}") == ["a": real, "b": 1])
        #expect(throws: FlagValueError.self) { try object.parse("{\"a\": 1, \"b\": \(digits)}") }
        #expect(throws: FlagValueError.self) {
            try flag(.double).parse(json: .longInteger("1\(String(repeating: "0", count: 400))"))
        }
        for type in [FlagType.integer, .string, .bool] {
            #expect(throws: FlagValueError("found integer \(digits), expected \(type.expectation)")) {
                try flag(type).parse(json: long)
            }
        }
    }

    @Test("A value that breaks a constraint is refused")
    func constraints() {
        #expect(throws: FlagValueError("7 is invalid: must be 5 or less")) {
            try flag(.integer, FlagConstraints(maximum: 5)).parse("7")
        }
        #expect(throws: FlagValueError("\"b\" is invalid: must match the pattern a")) {
            try flag(.string, FlagConstraints(pattern: "a")).parse("b")
        }
    }

    @Test(
        "The text in an editor, sent back as it is, leaves the stored value as it is",
        arguments: [
            (.bool, .bool(true)), (.bool, .string("yes")), (.bool, .integer(1)), (.integer, .integer(-3)),
            (.integer, .string("007")), (.double, .double(5)),
            (.double, .double(-0.0)), (.double, .double(.nan)), (.double, .double(1e300)),
            (.double, .integer(1 << 53 + 1)), (.double, .string("1.50")),
            (.string, .string(" \n")), (.url, .string("a")), (.date, .date(date)),
            (.date, .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2))),
            (.date, .string("2026-01-31")), (.date, .string("2026-01-31T12:00:00+02:00")),
            (.data, .data(Data([0, 1, 2]))),
            (.choice, .string("small")), (.choice, .double(2)), (.choice, .integer(1)),
            (.json, .data(Data("{ \"a\":1.0 }".utf8))),
            (
                .array,
                .array([
                    .date(date), .data(Data([1])), .double(1), .double(-0.0), .integer(1), .double(.infinity),
                    .string("nan"),
                ])
            ),
            (
                .dictionary,
                .dictionary(["a": .double(3), "b": .array([.date(date)]), "c": .dictionary(["d": .data(Data())])])
            ),
        ] as [(FlagType, FlagValue)])
    func unchanged(type: FlagType, stored: FlagValue) throws {
        let definition = flag(type, Self.choices)
        #expect(try definition.parse(definition.editableText(of: stored), replacing: stored) == stored)
    }

    @Test("A stored value that is not valid is no way around the type and the constraints")
    func invalidCurrent() {
        #expect(throws: FlagValueError.self) { try flag(.bool).parse("maybe", replacing: .string("maybe")) }
        #expect(throws: FlagValueError.self) {
            try flag(.integer, FlagConstraints(maximum: 5)).parse("7", replacing: .integer(7))
        }
    }

    @Test("A date is stored as the kind that stands there")
    func dateKind() throws {
        #expect(try flag(.date).parse("2026-01-31T12:00:00Z", replacing: .date(.distantPast)) == .date(Self.date))
        #expect(
            try flag(.date).parse("2026-01-31T12:00:00Z", replacing: .string("x")) == .string("2026-01-31T12:00:00Z"))
    }

    @Test("Within an edited document, a part keeps its kind where it can, and a new one takes that of its siblings")
    func keepsKinds() throws {
        let stored = FlagValue.dictionary([
            "real": .double(1), "large": .double(0x1p53), "date": .date(Self.date), "data": .data(Data([0, 1, 2])),
            "inf": .double(.infinity),
            "list": .array([.double(1), .double(2)]), "gone": .bool(true),
        ])
        let text = """
            {"real": 1, "large": 9007199254740993, "date": "2026-01-31T12:00:00Z", "data": "AAED", "inf": "inf",
             "list": [1, 3, 2], "new": 1}
            """
        #expect(
            try flag(.dictionary).parse(text, replacing: stored)
                == .dictionary([
                    "real": .double(1), "large": .integer(1 << 53 + 1), "date": .date(Self.date),
                    "data": .data(Data([0, 1, 3])), "inf": .double(.infinity),
                    "list": .array([.double(1), .double(3), .double(2)]), "new": .integer(1),
                ]))
    }

    @Test("JSON that is stored as data stays data, on one line with sorted keys")
    func jsonData() throws {
        let value = try flag(.json).parse(#"{"b": "a/b", "a": [1.5, null]}"#, replacing: .data(Data("{}".utf8)))
        #expect(value == .data(Data(#"{"a":[1.5,null],"b":"a/b"}"#.utf8)))
        #expect(throws: FlagValueError.self) { try flag(.json).parse("{", replacing: .data(Data("{}".utf8))) }
    }

    @Test(
        "An editor shows a value of any kind, of the flag's type or not",
        arguments: [
            (.bool, .string("maybe"), "maybe"), (.integer, .double(0.5), "0.5"), (.double, .double(5), "5"),
            (.double, .double(.nan), "nan"),
            (.date, .date(date), "2026-01-31T12:00:00Z"),
            (.date, .date(Date(timeIntervalSince1970: .infinity)), "inf seconds since 1970"),
            (.data, .data(Data("{}".utf8)), "e30="), (.json, .data(Data("{}".utf8)), "{}"),
            (.json, .data(Data([0xFF])), "\"/w==\""),
            (.string, .array([.integer(1)]), "[\n  1\n]"),
        ] as [(FlagType, FlagValue, String)])
    func editableText(type: FlagType, value: FlagValue, text: String) {
        #expect(flag(type).editableText(of: value) == text)
    }

    @Test("Long JSON stands on one line in an editor, and is the same value when it is saved like that")
    func longEditableText() throws {
        let day = FlagValue.date(Date(timeIntervalSince1970: 0))
        let value = FlagValue.array(Array(repeating: .dictionary(["day": day, "count": .integer(1)]), count: 3000))
        let text = flag(.array).editableText(of: value)
        #expect(!text.contains("\n") && text.hasPrefix("[") && text.utf8.count > 100_000)
        #expect(try flag(.array).parse(text, replacing: value) == value)
        #expect(try flag(.array).parse(text.replacing("1970", with: "1971"), replacing: value) != value)
    }

    @Test("Data that is no JSON is not replaced by its own base64")
    func brokenJSONData() throws {
        let definition = FlagDefinition(key: FlagKeyPath(components: ["ranking"]), type: .json)
        let broken = FlagValue.data(Data("{\"c\":[1e400]}".utf8))
        #expect(throws: FlagValueError.self) {
            try definition.parse(definition.editableText(of: broken), replacing: broken)
        }
        #expect(try definition.parse("{ \"c\": [1] }", replacing: broken) == .data(Data("{\"c\":[1]}".utf8)))
    }
}
