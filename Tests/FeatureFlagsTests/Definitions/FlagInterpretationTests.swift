import FeatureFlags
import Foundation
import Testing

@Suite("Reading stored values by type")
struct FlagInterpretationTests {
    private static let date = Date(timeIntervalSince1970: 1_769_860_800)
    private static let json = Data(#"{"a":1}"#.utf8)

    @Test(
        "A value that is stored in the type's own form is returned as it is",
        arguments: [
            (.bool, .bool(false)), (.integer, .integer(Int128(UInt64.max))), (.double, .double(.nan)),
            (.double, .double(-0.0)),
            (.string, .string("")), (.string, .string("true")), (.date, .date(date)), (.data, .data(Data())),
            (.url, .string("https://example.com/path?q=1#f")), (.url, .string("path/to")),
            (.array, .array([.bool(true)])),
            (.dictionary, .dictionary([:])), (.json, .dictionary(["a": .date(date)])), (.json, .array([])),
            (.json, .data(json)),
        ] as [(FlagType, FlagValue)])
    func same(type: FlagType, stored: FlagValue) throws {
        #expect(try flag(type).interpret(stored) == stored)
    }

    @Test(
        "A value in another form that says one of the type is converted",
        arguments: [
            (.bool, .integer(0), .bool(false)), (.bool, .integer(1), .bool(true)), (.bool, .integer(-5), .bool(true)),
            (.bool, .string("true"), .bool(true)), (.bool, .string("YES"), .bool(true)),
            (.bool, .string("On"), .bool(true)),
            (.bool, .string("1"), .bool(true)), (.bool, .string("False"), .bool(false)),
            (.bool, .string("no"), .bool(false)),
            (.bool, .string("OFF"), .bool(false)), (.bool, .string("0"), .bool(false)),
            (.integer, .string("-42"), .integer(-42)), (.integer, .string("+7"), .integer(7)),
            (.integer, .string("18446744073709551615"), .integer(Int128(UInt64.max))),
            (.double, .integer(3), .double(3)), (.double, .integer(1 << 53 + 1), .double(0x1p53)),
            (.double, .integer(.max), .double(0x1p127)), (.double, .string("2.5e-1"), .double(0.25)),
            (.double, .string("-inf"), .double(-.infinity)),
            (.date, .string("2026-01-31T14:00:00+02:00"), .date(date)),
            (.date, .string("1970-01-01"), .date(Date(timeIntervalSince1970: 0))),
        ] as [(FlagType, FlagValue, FlagValue)])
    func converted(type: FlagType, stored: FlagValue, value: FlagValue) throws {
        #expect(try flag(type).interpret(stored) == value)
    }

    @Test(
        "A value that says none of the type is refused, and never read as false, zero or empty",
        arguments: [
            (.bool, .string("")), (.bool, .string("tru")), (.bool, .string(" true")), (.bool, .string("2")),
            (.bool, .double(1)),
            (.bool, .data(Data([1]))), (.bool, .array([])),
            (.integer, .string("")), (.integer, .string("1.0")), (.integer, .string("0x10")),
            (.integer, .string("1e3")), (.integer, .string(" 1")),
            (.integer, .string("18446744073709551616")), (.integer, .string("-9223372036854775809")),
            (.integer, .string(String(repeating: "9", count: 100))), (.integer, .double(1)), (.integer, .bool(true)),
            (.double, .string("")), (.double, .string("1,5")), (.double, .string("0x1p3")), (.double, .string("1e999")),
            (.double, .bool(true)),
            (.string, .integer(1)), (.string, .bool(true)), (.string, .data(Data())), (.string, .date(date)),
            (.date, .string("2026-02-30")), (.date, .string("today")), (.date, .integer(0)), (.date, .double(.nan)),
            (.data, .string("AAEC")), (.data, .array([])), (.url, .integer(1)), (.url, .data(Data())),
            (.array, .dictionary([:])), (.array, .string("[]")), (.dictionary, .array([])),
            (.dictionary, .string("{}")),
            (.json, .string("{}")), (.json, .data(Data())), (.json, .data(Data([0xFF, 0]))), (.json, .bool(true)),
        ] as [(FlagType, FlagValue)])
    func refused(type: FlagType, stored: FlagValue) throws {
        let problem = try #require(throws: FlagValueError.self) { try flag(type).interpret(stored) }
        #expect(problem.description == "found \(stored.briefDescription), expected \(type.expectation)")
    }

    @Test("A converted value has to satisfy the flag's constraints too")
    func constraints() throws {
        let problem = try #require(throws: FlagValueError.self) {
            try flag(.integer, FlagConstraints(maximum: 5)).interpret(.string("6"))
        }
        #expect(problem.description == "6 is invalid: must be 5 or less")
    }

    @Test("A choice is read as it stands among the choices, without a conversion")
    func choice() throws {
        let sizes = flag(.choice, FlagConstraints(choices: [.string("small"), .integer(1), .double(1.5)]))
        for choice in sizes.constraints.choices { #expect(try sizes.interpret(choice) == choice) }
        for other in [.string("Small"), .string("1"), .double(1), .bool(true), .string("")] as [FlagValue] {
            let problem = try #require(throws: FlagValueError.self) { try sizes.interpret(other) }
            #expect(
                problem.description
                    == "\(other.briefDescription) is invalid: must be one of: small, 1, 1.5")
        }
    }

    @Test(
        "Choices that are numbers are read as flags of their type read numbers",
        arguments: [
            ([1, 2], .string("2"), 2), ([1, 2], .string("+2"), 2), ([1, 2], .double(2), nil),
            ([1, 2], .bool(true), nil),
            ([1, 2], .string("2.0"), nil), ([0.5, .double(1)], 1, .double(1)),
            ([0.5, .double(1)], .string("1"), .double(1)), ([0.5, .double(1)], .string("5e-1"), 0.5),
            ([0.5, 1], .double(1), 1), ([0.5, .double(0)], .double(-0.0), .double(0)), ([0.5, 1], .string("a"), nil),
        ] as [([FlagValue], FlagValue, FlagValue?)])
    func choiceOfNumbers(choices: [FlagValue], stored: FlagValue, choice: FlagValue?) throws {
        let flag = flag(.choice, FlagConstraints(choices: choices))
        guard let choice else {
            #expect(throws: FlagValueError.self) { try flag.interpret(stored) }
            return
        }
        #expect(try flag.interpret(stored) == choice)
        let list = FlagDefinition(
            key: flag.key, type: .array, constraints: FlagConstraints(items: flag.schema))
        #expect(try list.interpret([stored]) == [stored])
    }

    @Test(
        "The type of a value without a definition reads that value as it is",
        arguments: [
            (.bool(true), .bool), (.integer(1), .integer), (.double(1), .double),
            (.string("https://example.com"), .string),
            (.date(date), .date), (.data(json), .data), (.array([]), .array), (.dictionary([:]), .dictionary),
        ] as [(FlagValue, FlagType)])
    func inferred(value: FlagValue, type: FlagType) throws {
        #expect(FlagType(inferredFrom: value) == type)
        #expect(try flag(type).interpret(value) == value)
    }
}
