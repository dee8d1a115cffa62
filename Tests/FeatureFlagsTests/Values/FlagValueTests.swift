import FeatureFlags
import Foundation
import Testing

@Suite("Values")
struct FlagValueTests {
    @Test(
        "Values that say the same in a property list are equal",
        arguments: [
            (.bool(true), .bool(true)), (.integer(1), .integer(1)), (.double(.nan), .double(-.nan)),
            (.double(.nan), .double(Double(nan: 5, signaling: true))), (.double(0.1), .double(0.1)),
            (.date(Date(timeIntervalSinceReferenceDate: .nan)), .date(Date(timeIntervalSinceReferenceDate: -.nan))),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: -0.0))),
            (.array([.double(.nan)]), .array([.double(.nan)])),
            (
                .dictionary(["a": .double(.nan), "b": .string("")]),
                .dictionary(["b": .string(""), "a": .double(.nan)])
            ),
        ] as [(FlagValue, FlagValue)])
    func equal(left: FlagValue, right: FlagValue) {
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(Set([left, right]).count == 1)
    }

    @Test(
        "Values that differ in a property list differ",
        arguments: [
            (.bool(true), .integer(1)), (.integer(1), .double(1)), (.integer(1), .string("1")),
            (.double(0), .double(-0.0)), (.double(.nan), .double(.infinity)), (.string("\u{E9}"), .string("e\u{301}")),
            (.string(""), .data(Data())), (.array([]), .dictionary([:])),
            (.array([.integer(1), .integer(2)]), .array([.integer(2), .integer(1)])),
            (.date(Date(timeIntervalSince1970: 0)), .string("1970-01-01T00:00:00Z")),
            (.dictionary(["\u{E9}": .bool(true)]), .dictionary(["e\u{301}": .bool(true)])),
            (.dictionary(["a": .bool(true)]), .dictionary(["b": .bool(true)])),
            (.dictionary(["a": .bool(true)]), .dictionary(["a": .bool(true), "b": .bool(true)])),
            (.dictionary(["a": .array([.string("\u{E9}")])]), .dictionary(["a": .array([.string("e\u{301}")])])),
        ] as [(FlagValue, FlagValue)])
    func different(left: FlagValue, right: FlagValue) {
        #expect(left != right)
        #expect(right != left)
    }

    @Test(
        "A value keeps every bit in its typed text form",
        arguments: [
            .bool(true), .bool(false), .integer(0), .integer(-1), .integer(FlagValue.integerRange.lowerBound),
            .integer(FlagValue.integerRange.upperBound), .double(0), .double(-0.0), .double(1), .double(0.1),
            .double(.leastNonzeroMagnitude), .double(.leastNormalMagnitude), .double(.greatestFiniteMagnitude),
            .double(.nan),
            .double(.infinity), .double(-.infinity), .double(0x1.fffffffffffffp0), .string(""),
            .string("\u{0}\u{1F}\""),
            .string("a/b\\c\r\n\u{2028}"), .string("\u{E9}"), .string("e\u{301}"), .string("😀\u{FFFF}"),
            .date(Date(timeIntervalSince1970: 0)), .date(Date(timeIntervalSince1970: -1.5)),
            .date(Date(timeIntervalSinceReferenceDate: 0.1)), .date(Date(timeIntervalSinceReferenceDate: -1e-20)),
            .date(Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude)),
            .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)),
            .date(Date(timeIntervalSinceReferenceDate: 791_553_600.123_456_7)), .date(.distantPast),
            .date(.distantFuture), .date(Date(timeIntervalSinceReferenceDate: 1e300)),
            .date(Date(timeIntervalSinceReferenceDate: .nan)), .date(Date(timeIntervalSinceReferenceDate: -.infinity)),
            .data(Data()), .data(Data((0...255).map { UInt8($0) })), .array([]), .dictionary([:]),
            .array([.array([]), .dictionary(["": .double(.nan)]), .bool(false)]),
            .dictionary(["bool": .integer(1), "e\u{301}": .string("e\u{301}"), "a/b": .array([.date(.distantPast)])]),
        ] as [FlagValue])
    func typedTextRoundTrips(value: FlagValue) throws {
        let text = try value.encodedText()
        #expect(try FlagValue(encodedText: text) == value)
        #expect(try FlagValue(encodedText: text).encodedText() == text)
    }

    @Test(
        "The typed text form is stable",
        arguments: [
            (.bool(true), #"{"bool":true}"#),
            (.integer(Int128(UInt64.max)), #"{"integer":"18446744073709551615"}"#),
            (.double(-.nan), #"{"double":"nan"}"#), (.double(1), #"{"double":"1.0"}"#),
            (.double(-.infinity), #"{"double":"-inf"}"#), (.double(-0.0), #"{"double":"-0.0"}"#),
            (.string("a/\"b\""), #"{"string":"a/\"b\""}"#),
            (.date(Date(timeIntervalSince1970: 1_769_860_800)), #"{"date":"2026-01-31T12:00:00Z"}"#),
            (.date(Date(timeIntervalSince1970: -1.5)), #"{"date":"1969-12-31T23:59:58.500Z"}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 1e-20)), #"{"date":"@1e-20"}"#),
            (.data(Data([0, 1, 2])), #"{"data":"AAEC"}"#),
            (.array([.string("a"), .array([])]), #"{"array":[{"string":"a"},{"array":[]}]}"#),
            (
                .dictionary(["b": .bool(false), "a": .integer(-1), "A": .dictionary([:])]),
                #"{"dictionary":{"A":{"dictionary":{}},"a":{"integer":"-1"},"b":{"bool":false}}}"#
            ),
        ] as [(FlagValue, String)])
    func typedText(value: FlagValue, text: String) throws {
        #expect(try value.encodedText() == text)
    }

    @Test(
        "What is no typed text form is refused",
        arguments: [
            "", "true", "{}", "[]", "null", #"{"bool":1}"#, #"{"bool":true,"integer":"1"}"#, #"{"integer":1}"#,
            #"{"integer":"1.0"}"#, #"{"integer":"18446744073709551616"}"#, #"{"integer":"-9223372036854775809"}"#,
            #"{"double":1}"#, #"{"double":"x"}"#, #"{"double":"1e999"}"#, #"{"double":"0x1"}"#, #"{"string":1}"#,
            #"{"date":"2026-02-30T00:00:00Z"}"#,
            #"{"date":"@"}"#, #"{"date":"1"}"#, #"{"data":"A"}"#, #"{"array":[1]}"#, #"{"dictionary":{"a":true}}"#,
            #"{"other":"a"}"#, #"{"bool":true"#, #"{"bool":tru}"#, #"{"bool":true}}"#, #"{"array":{}}"#,
            #"{"array":[{"bool":true},]}"#,
            #"{"dictionary":[]}"#, #"{"dictionary":{"a":{"bool":true},"a":{"bool":true}}}"#,
            #"{"string":"a","string":"a"}"#,
        ])
    func refusesTypedText(text: String) {
        #expect(throws: DecodingError.self) { try FlagValue(encodedText: text) }
    }

    @Test("Values nested as deep as the history takes them keep their typed text form")
    func depth() throws {
        var value = FlagValue.string("x")
        for level in 0..<250 { value = level % 2 == 0 ? .array([value]) : .dictionary(["k": value]) }
        #expect(try FlagValue(encodedText: try value.encodedText()) == value)
    }

    @Test(
        "A value is described by its kind and, where it is short, itself",
        arguments: [
            (.bool(true), "boolean true"), (.integer(-5), "integer -5"), (.double(1.5), "real 1.5"),
            (.double(1), "real 1.0"), (.double(.nan), "real nan"), (.string("a"), "string \"a\""),
            (.string(String(repeating: "é", count: 60)), "string \"\(String(repeating: "é", count: 60))\""),
            (.string(String(repeating: "a", count: 61)), "a string of 61 characters"),
            (.date(Date(timeIntervalSince1970: 0)), "date 1970-01-01T00:00:00Z"),
            (.data(Data([1, 2])), "data of 2 bytes"), (.array([.bool(true)]), "an array of 1 element"),
            (.dictionary([:]), "a dictionary of 0 entries"),
        ] as [(FlagValue, String)])
    func briefDescription(value: FlagValue, text: String) {
        #expect(value.briefDescription == text)
    }

    @Test("A log shows every part of a value, and a date that is no number stops nothing")
    func description() {
        let date = FlagValue.date(Date(timeIntervalSinceReferenceDate: .nan))
        #expect("\(date)" == "date nan seconds since 1970")
        #expect(
            "\(FlagValue.dictionary(["a": .array([date, .integer(1)])]))"
                == "[\"a\": [date nan seconds since 1970, integer 1]]")
    }
}
