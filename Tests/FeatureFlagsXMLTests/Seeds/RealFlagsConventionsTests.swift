import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct Place: Codable, Hashable, FlagProtocol {
    var name: String
    var floors: [Int?]
}

private enum Mode: String, FlagProtocol { case on, off }

/// A value, what RealFlags puts into its dictionary for it, and whether RealFlags reads a file's object as that value.
private struct Convention: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What RealFlags hands to Foundation.
    let object: @Sendable () throws -> Any
    /// How RealFlags reads what Foundation found in the file.
    let isRead: @Sendable (Any) throws -> Bool
    let write: @Sendable (LocalProvider, FlagKeyPath) throws -> Bool
    let read: @Sendable (LocalProvider, FlagKeyPath) throws -> Bool

    init<Value: FlagProtocol & Equatable>(
        _ name: String, _ value: Value, object: @escaping @Sendable () throws -> Any,
        isRead: @escaping @Sendable (Any) throws -> Bool
    ) {
        testDescription = name
        self.object = object
        self.isRead = isRead
        write = { try $0.setValue(value, forFlag: $1) }
        read = { $0.lastGoodValue(at: $1) == value }
    }
}

private let whole = Date(timeIntervalSince1970: 1_700_000_000)
private let place = Place(name: "a/b", floors: [1, nil])

private func number<Value: FixedWidthInteger & FlagProtocol>(_ value: Value) -> Convention {
    Convention("\(Value.self)", value) {
        NSNumber(value: Int(value))
    } isRead: {
        ($0 as? NSNumber)?.intValue == Int(value)
    }
}

private let conventions: [Convention] = [
    Convention("Bool", true) {
        NSNumber(value: true)
    } isRead: {
        $0 as? Bool == true
    },
    number(Int(-5)), number(Int8(-5)), number(Int16(5)), number(Int32(5)), number(Int64.max),
    number(UInt(5)), number(UInt8(5)), number(UInt16(5)), number(UInt32(5)), number(UInt64(5)),
    Convention("Float", Float(0.5)) {
        NSNumber(value: Float(0.5))
    } isRead: {
        ($0 as? NSNumber)?.floatValue == 0.5
    },
    Convention("Double", 2.5) {
        NSNumber(value: 2.5)
    } isRead: {
        ($0 as? NSNumber)?.doubleValue == 2.5
    },
    Convention("String", "ä <&>") {
        "ä <&>"
    } isRead: {
        $0 as? String == "ä <&>"
    },
    Convention("URL", URL(fileURLWithPath: "/a")) {
        "file:///a"
    } isRead: {
        $0 as? String == "file:///a"
    },
    Convention("Date", whole) {
        ISO8601DateFormatter().string(from: whole)
    } isRead: {
        ($0 as? String).flatMap { ISO8601DateFormatter().date(from: $0) } == whole
    },
    Convention("Data", Data([0, 255])) {
        Data([0, 255])
    } isRead: {
        $0 as? Data == Data([0, 255])
    },
    Convention("an enum", Mode.off) {
        "off"
    } isRead: {
        $0 as? String == "off"
    },
    Convention("an array", [1, 2]) {
        [1, 2]
    } isRead: {
        $0 as? [Int] == [1, 2]
    },
    Convention("an array of dates", [whole]) {
        ["2023-11-14T22:13:20Z"]
    } isRead: {
        ($0 as? [String])?.compactMap { ISO8601DateFormatter().date(from: $0) } == [whole]
    },
    Convention("a nested dictionary", ["a": ["b": 1, "c": 2]]) {
        ["a": ["b": 1, "c": 2]]
    } isRead: {
        $0 as? [String: [String: Int]] == ["a": ["b": 1, "c": 2]]
    },
    Convention("a Codable type", place) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(place)
    } isRead: {
        try ($0 as? Data).map { try JSONDecoder().decode(Place.self, from: $0) } == place
    },
    Convention("JSONData", JSONData(["a": ["b": 1], "c": "d"])) {
        ["a": ["b": 1], "c": "d"] as [String: Any]
    } isRead: {
        ($0 as? NSDictionary)?["c"] as? String == "d"
    },
    Convention("an optional", Int?.some(3)) {
        NSNumber(value: 3)
    } isRead: {
        ($0 as? NSNumber)?.intValue == 3
    },
]

/// What RealFlags writes and reads, type by type, in files that Foundation writes and reads as RealFlags has it do.
@Suite("RealFlags' conventions")
struct RealFlagsConventionsTests {
    private let folder: TemporaryFolder
    private let path = FlagKeyPath(components: ["house", "upper floor", "flag"])

    init() throws { folder = try TemporaryFolder() }

    private func nested(_ object: Any) -> [String: Any] { ["house": ["upper floor": ["flag": object]]] }

    @Test("What RealFlags writes is read as the value", arguments: conventions)
    fileprivate func reads(convention: Convention) throws {
        let source = try PropertyListSerialization.data(
            fromPropertyList: nested(try convention.object()), format: .xml, options: 0)
        try source.write(to: folder.file("flags.xml"))
        #expect(try convention.read(LocalProvider(localURL: folder.file("flags.xml")), path))
    }

    @Test("What is written is what RealFlags writes, and read by it as the value", arguments: conventions)
    fileprivate func writes(convention: Convention) throws {
        let provider = LocalProvider(localURL: folder.file("flags.xml"))
        #expect(try convention.write(provider, path))
        let written = try Data(contentsOf: folder.file("flags.xml"))
        let root = try PropertyListSerialization.propertyList(from: written, format: nil)
        let house = try #require((root as? [String: Any])?["house"] as? [String: Any])
        let object = try #require((house["upper floor"] as? [String: Any])?["flag"])
        #expect(try convention.isRead(object))
        let source = try PropertyListSerialization.data(
            fromPropertyList: nested(try convention.object()), format: .xml, options: 0)
        #expect(
            try document(text: String(decoding: written, as: UTF8.self)).root
                == PropertyListDocument(source: source).root)
    }

    @Test(
        "A date is written in whole seconds, which RealFlags and Apple's own <date> read",
        arguments: [
            (51.785_975_337, "1970-01-01T00:00:51Z"), (-0.5, "1969-12-31T23:59:59Z"), (60, "1970-01-01T00:01:00Z"),
        ])
    func wholeSeconds(interval: TimeInterval, text: String) throws {
        let date = Date(timeIntervalSince1970: interval)
        #expect(try date.encoded() == .string(text))
        #expect(try [date].encoded() == [.string(text)])
        #expect(ISO8601DateFormatter().date(from: text) == FlagDate.parse(text))
    }
}
