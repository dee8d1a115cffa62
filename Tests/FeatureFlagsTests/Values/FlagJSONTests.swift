import FeatureFlags
import Foundation
import Testing

@Suite("Values as JSON")
struct FlagJSONTests {
    @Test(
        "JSON is read as the value that a property list would hold",
        arguments: [
            ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)), ("1", .integer(1)),
            ("-7", .integer(-7)),
            ("18446744073709551615", .integer(Int128(UInt64.max))),
            ("-9223372036854775808", .integer(Int128(Int64.min))), ("9223372036854775808", .integer(1 << 63)),
            ("1.0", .double(1)), ("-0.0", .double(-0.0)), ("1e2", .double(100)), ("0.1", .double(0.1)),
            ("0.1234567890123456789", .double(0.1234567890123456789)), ("5e-324", .double(.leastNonzeroMagnitude)),
            ("18446744073709551616.0", .double(0x1p64)),
            ("\"\"", .string("")), (#""a\"\\\/\n\u00e9\ud83d\ude00""#, .string("a\"\\/\né😀")), ("\"1\"", .string("1")),
            ("[]", .array([])), ("{}", .dictionary([:])),
            (" [1, [true, \"x\"]]\n", .array([.integer(1), .array([.bool(true), .string("x")])])),
            (#"{"a": {"b": 1.5}, "": []}"#, .dictionary(["a": .dictionary(["b": .double(1.5)]), "": .array([])])),
        ] as [(String, FlagValue)])
    func reads(text: String, value: FlagValue) throws {
        #expect(try FlagJSON.value(text) == value)
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "nul", "{", "[1", "{\"a\" 1}", "{a: 1}", "'a'", "01", "[NaN]", "1e400", "1 2", "\"a",
            "{\"a\": 1}}", "[1,]", "{\"a\": 1,}", "[1 2]", "\"\u{1}\"", #""\x""#, #""\u12g4""#, #""\ud83d""#, "-", "1.",
            ".5",
            "1e", "+1", "tru", "[", "{\"a\":", "\u{FEFF}1",
        ])
    func refuses(text: String) throws {
        let problem = try #require(throws: FlagValueError.self) { try FlagJSON.value(text) }
        #expect(problem.description.hasPrefix("invalid JSON at "))
        #expect(problem.description.count > "invalid JSON at ".count)
    }

    @Test("A zero is one however it is written", arguments: ["0.0", "0e9", "0.00E-400", "0e400"])
    func zero(text: String) throws {
        #expect(try FlagJSON.value(text) == .double(0))
    }

    @Test(
        "The place where JSON stops being JSON is named",
        arguments: [
            ("{\n  \"a\": 1,\n  \"é\" 2\n}", "line 3, column 7: expected a colon"),
            (#"{"a": 1, "b": 2, "a": 3}"#, #"line 1, column 18: duplicate key "a""#),
            ("[1,]", "line 1, column 4: expected a value"),
            ("1e999", "line 1, column 1: the number 1e999 is too large"),
            ("-0.1e-400", "line 1, column 1: the number -0.1e-400 is too small and would be stored as 0"),
            ("", "line 1, column 1: the text is empty"), ("[1", "line 1, column 3: expected a comma or ]"),
        ])
    func place(text: String, reason: String) {
        #expect(throws: FlagValueError("invalid JSON at " + reason)) { try FlagJSON.value(text) }
    }

    @Test(
        "An integer that a property list can't store is refused rather than rounded",
        arguments: ["18446744073709551616", "-9223372036854775809", "12345678901234567890123"])
    func longIntegers(digits: String) {
        #expect(
            throws: FlagValueError(
                "\(digits) at /a is out of range for an integer (-9223372036854775808 to 18446744073709551615); write it in double quotes, or with a decimal point"
            )
        ) { try FlagJSON.value("{\"a\": \(digits)}") }
    }

    @Test(
        "A null is refused with the place of the first one",
        arguments: [
            ("[1, null]", "/1"), (#"{"a/b": {"~": null}}"#, "/a~1b/~0"),
            (#"{"z": null, "b": [null], "c": null}"#, "/b/0"),
        ])
    func null(text: String, place: String) throws {
        let problem = try #require(throws: FlagValueError.self) { try FlagJSON.value(text) }
        #expect(problem.description == "null at \(place): a property list can't store null; remove the entry")
    }

    @Test("Text of nothing but characters that are escaped is written, as fast as other text of that size")
    func escapes() throws {
        let text = String(repeating: "\0\u{1F}\"\\\n\r\té", count: 60_000)
        let escaped = String(repeating: #"\u0000\u001f\"\\\n\r\té"#, count: 60_000)
        let written = FlagJSON.line(FlagValue.string(text))
        #expect(written == "\"\(escaped)\"")
        #expect(try FlagJSON.value(written) == .string(text))
    }

    @Test("null alone is refused as no value")
    func nullAlone() {
        #expect(throws: FlagValueError("null is not a value; to remove the value, reset the flag")) {
            try FlagJSON.value("null")
        }
    }

    @Test("JSON nested too deep to read is refused")
    func depth() {
        let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: FlagValueError.self) { try FlagJSON.value(text) }
    }

    @Test(
        "A value is written as JSON",
        arguments: [
            (.bool(true), "true"), (.integer(-1), "-1"), (.integer(1), "1"),
            (.integer(Int128(UInt64.max)), "18446744073709551615"),
            (.integer(Int128(Int64.min)), "-9223372036854775808"),
            (.integer(.max), "\"170141183460469231731687303715884105727\""),
            (.integer(.min), "\"-170141183460469231731687303715884105728\""),
            (.double(1), "1.0"), (.double(0.1), "0.1"), (.double(-0.0), "-0.0"), (.double(1e300), "1e+300"),
            (.double(.nan), "\"nan\""), (.double(-.nan), "\"nan\""), (.double(-.infinity), "\"-inf\""),
            (.string("a/\"\n"), #""a/\"\n""#), (.date(Date(timeIntervalSince1970: 0)), "\"1970-01-01T00:00:00Z\""),
            (.date(Date(timeIntervalSince1970: .nan)), "\"nan seconds since 1970\""),
            (.data(Data([0, 1, 2])), "\"AAEC\""), (.array([]), "[]"), (.dictionary([:]), "{}"),
            (
                .dictionary(["b": .array([.integer(1), .bool(false)]), "a": .string("x")]),
                """
                {
                  "a": "x",
                  "b": [
                    1,
                    false
                  ]
                }
                """
            ),
        ] as [(FlagValue, String)])
    func writes(value: FlagValue, text: String) {
        #expect(FlagJSON.text(value) == text)
    }

    @Test("Data that holds JSON is shown as that JSON, and within other values as base64")
    func data() {
        let data = FlagValue.data(Data(#"{"b":1,"a":[true]}"#.utf8))
        #expect(FlagJSON.text(data) == "{\n  \"a\": [\n    true\n  ],\n  \"b\": 1\n}")
        #expect(FlagJSON.text(.array([data])) == "[\n  \"eyJiIjoxLCJhIjpbdHJ1ZV19\"\n]")
    }

    @Test(
        "What JSON can say reads back the same",
        arguments: [
            .bool(false), .integer(Int128(UInt64.max)), .integer(Int128(Int64.min)), .integer(1 << 53 + 1),
            .double(0.1 + 0.2),
            .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude), .double(0x1p64),
            .string("\u{0}\u{2028}\u{FFFF}😀"),
            .array([.array([]), .dictionary(["": .string("")])]), .dictionary(["a/b": .integer(0), "~": .bool(true)]),
        ] as [FlagValue])
    func roundTrips(value: FlagValue) throws {
        #expect(try FlagJSON.value(FlagJSON.text(value)) == value)
    }
}
