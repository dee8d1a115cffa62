import FeatureFlags
import Foundation
import Testing

private enum Mode: String, CaseIterable, FlagProtocol { case never, atLaunch }
private enum Level: Int, Codable, FlagProtocol { case low = 1, high = 2 }
private struct Point: Codable, Equatable, FlagProtocol { var x: Int, y: Double }

/// A type that is stored as RealFlags' documents show: by hand.
private struct Celsius: Equatable, FlagProtocol {
    typealias EncodedValue = Double
    var degrees: Double

    init(degrees: Double) { self.degrees = degrees }

    init?(encoded value: FlagValue) {
        guard case .double(let degrees) = value else { return nil }
        self.degrees = degrees
    }

    func encoded() -> FlagValue { .double(degrees) }
}

@Suite("Types of flags' values")
struct FlagProtocolTests {
    private func expectRoundTrip<Value: FlagProtocol & Equatable>(
        _ value: Value, as stored: FlagValue, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try value.encoded() == stored, sourceLocation: sourceLocation)
        #expect(try Value.decode(stored) == value, sourceLocation: sourceLocation)
    }

    @Test("Every type is stored as RealFlags stores it, and reads back")
    func roundTrips() throws {
        try expectRoundTrip(true, as: .bool(true))
        try expectRoundTrip(Int.min, as: .integer(Int128(Int.min)))
        try expectRoundTrip(Int8.min, as: .integer(-128))
        try expectRoundTrip(Int16.max, as: .integer(32767))
        try expectRoundTrip(Int32.min, as: .integer(-2_147_483_648))
        try expectRoundTrip(Int64.max, as: .integer(9_223_372_036_854_775_807))
        try expectRoundTrip(UInt8.max, as: .integer(255))
        try expectRoundTrip(UInt16.max, as: .integer(65535))
        try expectRoundTrip(UInt32.max, as: .integer(4_294_967_295))
        try expectRoundTrip(UInt64.max, as: .integer(18_446_744_073_709_551_615))
        try expectRoundTrip(UInt.max, as: .integer(18_446_744_073_709_551_615))
        try expectRoundTrip(Float(0.5), as: .double(0.5))
        try expectRoundTrip(Double.infinity, as: .double(.infinity))
        try expectRoundTrip("text", as: .string("text"))
        try expectRoundTrip(Data([0, 1]), as: .data(Data([0, 1])))
        try expectRoundTrip(Date(timeIntervalSince1970: 0), as: .string("1970-01-01T00:00:00Z"))
        try expectRoundTrip(
            try #require(URL(string: "https://example.com/a?b")), as: .string("https://example.com/a?b"))
        try expectRoundTrip([1, 2], as: .array([.integer(1), .integer(2)]))
        try expectRoundTrip(["a": [true]], as: .dictionary(["a": .array([.bool(true)])]))
        try expectRoundTrip(Mode.atLaunch, as: .string("atLaunch"))
        try expectRoundTrip(Level.high, as: .integer(2))
        try expectRoundTrip(Point(x: 1, y: 2.5), as: .data(Data(#"{"x":1,"y":2.5}"#.utf8)))
        try expectRoundTrip(Celsius(degrees: 20), as: .double(20))
        try expectRoundTrip(Optional(5), as: .integer(5))
    }

    @Test("A Codable value also reads from a dictionary, as JSON in a file looks")
    func codableFromDictionary() throws {
        #expect(try Point.decode(.dictionary(["x": .integer(3), "y": .integer(4)])) == Point(x: 3, y: 4))
        #expect(throws: FlagValueError.self) { try Point.decode(.dictionary(["x": .integer(3)])) }
        #expect(throws: FlagValueError.self) { try Point.decode(.data(Data("{".utf8))) }
    }

    @Test(
        "A Boolean reads from an integer and from text that says one",
        arguments: [
            (FlagValue.integer(0), false), (.integer(-3), true), (.string("true"), true), (.string("NO"), false),
            (.string("1"), true), (.string("off"), false),
        ])
    func booleans(stored: FlagValue, value: Bool) throws {
        #expect(try Bool.decode(stored) == value)
    }

    @Test("Numbers read from text and from integers, dates from dates")
    func coercions() throws {
        #expect(try Int.decode(.string("-12")) == -12)
        #expect(try Double.decode(.integer(3)) == 3)
        #expect(try Double.decode(.string("1e3")) == 1000)
        #expect(try Float.decode(.string("0.25")) == 0.25)
        #expect(try Double.decode(.double(.nan)).isNaN)
        #expect(try Date.decode(.date(Date(timeIntervalSince1970: 5))) == Date(timeIntervalSince1970: 5))
    }

    @Test("What is no value of the type is broken and never traps or turns into false or 0")
    func broken() {
        func expectBroken<Value: FlagProtocol>(
            _ type: Value.Type, _ stored: FlagValue, _ wanted: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(
                throws: FlagValueError("found \(stored.briefDescription), expected \(wanted)"),
                sourceLocation: sourceLocation
            ) { try Value.decode(stored) }
        }
        expectBroken(Bool.self, .string("perhaps"), "true or false")
        expectBroken(Bool.self, .double(1), "true or false")
        expectBroken(Int8.self, .integer(128), "a whole number between -128 and 127")
        expectBroken(UInt.self, .integer(-1), "a whole number between 0 and 18446744073709551615")
        expectBroken(Int.self, .double(.nan), "a whole number between \(Int.min) and \(Int.max)")
        expectBroken(Int64.self, .integer(1 << 63), "a whole number between \(Int.min) and \(Int.max)")
        expectBroken(Int.self, .string("12abc"), "a whole number between \(Int.min) and \(Int.max)")
        expectBroken(Float.self, .double(1e300), "a single-precision number")
        expectBroken(Double.self, .string("much"), "a number")
        expectBroken(String.self, .integer(1), "text")
        expectBroken(URL.self, .string("not a url"), "a URL like https://example.com/path")
        expectBroken(Date.self, .string("2026-02-30"), "a date like 2026-01-31T12:00:00Z")
        expectBroken(Data.self, .string("AAAA"), "data in base64")
        expectBroken([Int].self, .array([.integer(1), .string("x")]), "an array, each element \(Int.flagExpectation)")
        expectBroken(Mode.self, .string("later"), "one of: never, atLaunch")
        expectBroken(Level.self, .integer(3), "the raw value of a Level, \(Int.flagExpectation)")
        expectBroken(Celsius.self, .string("warm"), "a value of the type Celsius")
        expectBroken(Int?.self, .string("x"), Int.flagExpectation)
    }

    @Test("An enum that lists its cases is a choice among them")
    func choices() {
        #expect(Mode.flagType == .choice)
        #expect(Mode.flagConstraints.choices == [.string("never"), .string("atLaunch")])
        #expect(Level.flagType == .integer)
        #expect(Point.flagType == .json)
        #expect(Mode?.flagConstraints == Mode.flagConstraints)
    }

    @Test("Setting an optional's nil removes the value, whichever way nil is written")
    func optionals() throws {
        let provider = TestProvider(values: ["text": .string("x")])
        let flag = Flag<String?>(key: "text", default: "default", description: "Optional")
        try FlagsManager(providers: [provider]).register(flag)
        #expect(flag.wrappedValue == "x")
        flag.setValue(.some(nil))
        #expect(try provider.store?.values == [:])
        flag.setValue("y")
        flag.setValue(nil)
        #expect(try provider.store?.values == [:])
        #expect(flag.wrappedValue == "default")
    }
}

@Suite("JSON data")
struct JSONDataTests {
    private let json = JSONData([
        "column": 5, "showDesc": true, "title": "List", "ratio": 0.5, "nested": ["list": [1, 2, ["deep": "x"]]],
    ])

    @Test("Values are read by key path, and by index into arrays")
    func keyPaths() {
        #expect(json.valueForKey("column") == 5)
        #expect(json.valueForKey("showDesc") == true)
        #expect(json.valueForKey("title") == "List")
        #expect(json.valueForKey("ratio") == 0.5)
        #expect(json.valueForKey("nested.list.1") == 2)
        #expect(json.valueForKey("nested.list.2.deep") == "x")
        #expect(json.valueForKey("nested.list.-1") as Int? == nil)
        #expect(json.valueForKey("nested.list.9") as Int? == nil)
        #expect(json.valueForKey("missing.key") as Int? == nil)
        #expect(json.valueForKey("title") as Int? == nil)
        #expect((json.valueForKey("nested") as [String: Any]?)?.count == 1)
    }

    @Test("An object is stored as a dictionary, and reads back the same")
    func storing() throws {
        #expect(
            try json.encoded()
                == .dictionary([
                    "column": .integer(5), "showDesc": .bool(true), "title": .string("List"), "ratio": .double(0.5),
                    "nested": .dictionary([
                        "list": .array([.integer(1), .integer(2), .dictionary(["deep": .string("x")])])
                    ]),
                ]))
        #expect(try JSONData.decode(try json.encoded()) == json)
    }

    @Test("An object with a null in it is stored as JSON text, and reads back the same")
    func nulls() throws {
        let json = try #require(JSONData(jsonString: #"{"a": null, "b": [1, null]}"#))
        #expect(try json.encoded() == .data(Data(#"{"a":null,"b":[1,null]}"#.utf8)))
        #expect(try JSONData.decode(try json.encoded()) == json)
        #expect(json.valueForKey("a") as Int? == nil)
        #expect(JSONData(["a": Int?.none as Any]) == JSONData(jsonString: #"{"a": null}"#))
    }

    @Test("What JSON has no form for is refused with its place when it is stored")
    func unsupported() {
        struct Opaque {}
        #expect(throws: FlagValueError("a Opaque at /a/1: JSON can't represent it")) {
            try JSONData(["a": [1, Opaque()]]).encoded()
        }
    }

    @Test("Text that is no JSON object is refused", arguments: ["", "[1]", "5", "{", #"{"a": }"#])
    func text(text: String) {
        #expect(JSONData(jsonString: text) == nil)
    }
}
