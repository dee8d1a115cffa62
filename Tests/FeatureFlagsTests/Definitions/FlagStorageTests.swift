import Foundation
import Testing

@testable import FeatureFlags

private func data(_ text: String) -> FlagValue { .data(Data(text.utf8)) }

@Suite("The layout of stored values")
struct FlagStorageTests {
    private func flag(_ type: FlagType, _ storage: FlagStorage? = nil, default value: FlagValue? = nil)
        -> FlagDefinition
    {
        FlagDefinition(
            key: FlagKeyPath(components: ["flag"]), type: type, defaultValue: value, storage: storage)
    }

    @Test(
        "JSON is stored in the layout that the definition says, else that of a value that is or was there",
        arguments: [
            (nil, nil, nil, nil, ["a": 1]), (FlagStorage.data, nil, nil, nil, data(#"{"a":1}"#)),
            (nil, data("[]"), nil, nil, data(#"{"a":1}"#)), (nil, nil, data("[]"), nil, data(#"{"a":1}"#)),
            (nil, nil, nil, data("[]"), data(#"{"a":1}"#)), (nil, [], data("[]"), data("[]"), ["a": 1]),
            (.dictionary, data("[]"), data("[]"), data("[]"), ["a": 1]), (.data, [:], nil, nil, data(#"{"a":1}"#)),
            (nil, "text", data("[]"), nil, data(#"{"a":1}"#)),
        ] as [(FlagStorage?, FlagValue?, FlagValue?, FlagValue?, FlagValue)])
    func json(
        storage: FlagStorage?, current: FlagValue?, former: FlagValue?, fallback: FlagValue?, stored: FlagValue
    ) throws {
        let flag = flag(.json, storage, default: fallback)
        let text = #"{"a": 1}"#
        #expect(try flag.parse(text, replacing: current, storedLike: former) == stored)
        #expect(try flag.parse(json: try FlagJSON.document(text), replacing: current, storedLike: former) == stored)
        let asked = [FlagValue.dictionary(["a": 1]), data(text)]
        for value in asked where storage ?? .dictionary != .dictionary || current != nil || former != nil {
            let laidOut = try flag.laidOut(value, replacing: current, storedLike: former)
            #expect(FlagStorage(of: laidOut, as: .json) == FlagStorage(of: stored, as: .json))
            #expect(flag.meansSame(laidOut, stored))
        }
    }

    @Test(
        "A date is stored in the layout that the definition says, else that of a value that is or was there",
        arguments: [
            (nil, nil, nil, "2026-01-31T12:00:00Z"), (FlagStorage.date, nil, nil, .date(Self.noon)),
            (nil, .date(.distantPast), nil, .date(Self.noon)), (nil, nil, .date(.distantPast), .date(Self.noon)),
            (.string, .date(Self.noon), nil, "2026-01-31T12:00:00Z"),
            (.date, "2026-01-31T12:00:00Z", nil, .date(Self.noon)),
        ] as [(FlagStorage?, FlagValue?, FlagValue?, FlagValue)])
    func date(storage: FlagStorage?, current: FlagValue?, former: FlagValue?, stored: FlagValue) throws {
        let flag = flag(.date, storage)
        for text in ["2026-01-31 12:00", "2026-01-31T12:00:00Z"] {
            #expect(try flag.parse(text, replacing: current, storedLike: former) == stored)
        }
        let json = try FlagJSON.document(#""2026-01-31T12:00:00Z""#)
        #expect(try flag.parse(json: json, replacing: current, storedLike: former) == stored)
        #expect(try flag.laidOut(stored, replacing: current, storedLike: former) == stored)
    }

    private static let noon = Date(timeIntervalSince1970: 1_769_860_800)

    @Test("A date's text has whole seconds, whatever was typed")
    func wholeSeconds() throws {
        #expect(try flag(.date).parse("2026-01-31T12:00:00.75Z") == "2026-01-31T12:00:00Z")
        let held: FlagValue = "2026-01-31T12:00:00.75Z"
        #expect(try flag(.date).parse("2026-01-31T12:00:00.75Z", replacing: held) == held, "what is there stays")
    }

    @Test(
        "null is taken by a flag that is stored as data, and else refused for one reason",
        arguments: [
            (
                FlagType.json, #"{"x": null}"#,
                "null at /x: a property list can't store null; remove the entry, or set storage to data"
            ),
            (
                .json, "[1, [null]]",
                "null at /1/0: a property list can't store null; remove the entry, or set storage to data"
            ),
            (.json, "null", "null is not a value; to remove the value, reset the flag"),
            (.array, "[null]", "null at /0: a property list"),
            (.dictionary, #"{"x": null}"#, "null at /x: a property list"), (.array, "null", "null is not a value"),
            (.bool, "null", "null is not a value"), (.integer, "null", "null is not a value"),
        ])
    func null(type: FlagType, text: String, reason: String) throws {
        let json = try FlagJSON.document(text)
        let told = try #require(throws: FlagValueError.self) { try flag(type).parse(json: json) }
        #expect(told.description.hasPrefix(reason))
        guard [.json, .array, .dictionary].contains(type) else { return }
        let typed = try #require(throws: FlagValueError.self) { try flag(type).parse(text) }
        #expect(typed == told)
        guard type == .json, text != "null" else { return }
        let given = try #require(throws: FlagValueError.self) {
            try flag(.json, .dictionary).laidOut(.data(Data(text.utf8)))
        }
        #expect(given == told)
        let compact = text.filter { $0 != " " }
        #expect(try flag(.json, .data).parse(text) == data(compact))
        #expect(try flag(.json, .data).parse(json: json) == data(compact))
        #expect(try flag(.json).laidOut(data(text)) == data(text))
    }

    @Test("JSON that says what the data holds leaves its bytes as they are, and other JSON keeps every digit")
    func data_() throws {
        let held = data("{ \"b\" : 1.0, \"a\": 18446744073709551616 }")
        let json = FlagJSON.json(held, of: .json)
        #expect(FlagJSON.line(json) == #"{"a":18446744073709551616,"b":1.0}"#)
        #expect(try flag(.json).parse(json: json, replacing: held) == held)
        #expect(try flag(.json).parse(FlagJSON.text(json), replacing: held) == held)
        let other = try FlagJSON.document(#"{"a":18446744073709551617,"b":1.0}"#)
        #expect(try flag(.json).parse(json: other, replacing: held) == data(#"{"a":18446744073709551617,"b":1.0}"#))
    }

    @Test("A text in JSON is no JSON document, be it base64 of one")
    func base64() throws {
        for storage in [FlagStorage?.none, .data, .dictionary] {
            let json = try FlagJSON.document(#""e30=""#)
            let problem = try #require(throws: FlagValueError.self) { try flag(.json, storage).parse(json: json) }
            #expect(problem.description == "found string \"e30=\", expected a JSON object or array")
            #expect(throws: problem) { try flag(.json, storage).parse(#""e30=""#) }
        }
    }

    @Test("A lone number or text is taken by a flag that has one as data, in text and in JSON")
    func lone() throws {
        for text in ["6", #""x""#, "true", "1.5"] {
            let json = try FlagJSON.document(text)
            #expect(try flag(.json, .data).parse(text, replacing: data("5")) == data(text))
            #expect(try flag(.json, .data).parse(json: json, replacing: data("5")) == data(text))
            #expect(try flag(.json, .data, default: data("5")).parse(json: json) == data(text))
            #expect(throws: FlagValueError.self) { try flag(.json, .data).parse(text, replacing: data("{}")) }
            #expect(throws: FlagValueError.self) { try flag(.json, .dictionary).parse(text, replacing: data("5")) }
        }
    }

    @Test("Only a json flag's data is JSON in an export; within a group and within other values data is base64")
    func exports() throws {
        let tree: FlagValue = ["g": ["j": data(#"{"a":null,"n":1.0}"#), "d": data("{}")], "r": 2.0]
        let json = FlagJSON.json(tree, jsonFlags: [FlagKeyPath(components: ["g", "j"])])
        #expect(FlagJSON.line(json) == #"{"g":{"d":"e30=","j":{"a":null,"n":1.0}},"r":2.0}"#)
        let manifest: FlagValue = [
            "flags": [
                ["key": "j", "type": "json", "default": data("[null]"), "suggestions": [data("[]")]],
                ["key": "d", "type": "data", "default": data("[]")],
            ]
        ]
        #expect(
            FlagJSON.line(FlagJSON.json(manifest: manifest))
                == #"{"flags":[{"default":[null],"key":"j","suggestions":[[]],"type":"json"},"#
                + #"{"default":"W10=","key":"d","type":"data"}]}"#)
    }

    @Test("A Codable type says that it is stored as data, and another type nothing")
    func declared() {
        struct Layout: Codable, FlagProtocol { var columns = 1 }
        #expect(Flag<Layout?>(key: "a", description: "").definition.storage == .data)
        #expect(Flag(key: "a", default: Layout(), description: "").definition.storage == .data)
        #expect(Flag(key: "a", default: JSONData([:]), description: "").definition.storage == nil)
        #expect(Flag(key: "a", default: Date(), description: "").definition.storage == nil)
        #expect(Flag(key: "a", default: 1, description: "").definition.storage == nil)
        #expect(Flag(key: "a", default: FlagValue.dictionary([:]), description: "").definition.storage == nil)
    }
}
