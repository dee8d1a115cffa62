import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private enum Theme: String, CaseIterable, Codable, FlagProtocol { case light, dark }

private enum Size: Int, CaseIterable, FlagProtocol { case small = 7, large = 300 }

private enum Rate: Double, CaseIterable, FlagProtocol { case half = 0.5, full = 7 }

private enum Level: Int8, FlagProtocol { case low = 0, high = 1 }

private enum Lenient: String, CaseIterable, Codable {
    case known, unknown

    init(from decoder: any Decoder) throws {
        self = Self(rawValue: try String(from: decoder)) ?? .unknown
    }
}

private struct Layout: Codable, Equatable, FlagProtocol {
    struct Cell: Codable, Equatable {
        var title: String
        var span: UInt8
    }

    var columns: Int8
    var ratio: Float
    var isWide: Bool
    var theme: Theme
    var lenient = Lenient.known
    var price: Decimal = 2
    var link: URL
    var image: Data
    var made: Date
    var id = UUID()
    var note: String?
    var limits: [String: Int]
    var cells: [Cell]
    var sizes: [Int?]
}

/// Reads one member in two ways.
private struct Lax: Codable, Equatable, FlagProtocol {
    var size: Int

    init(size: Int) { self.size = size }

    enum CodingKeys: CodingKey { case size }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try? container.decode(String.self, forKey: .size) {
            size = text.count
        } else {
            size = try container.decode(Int.self, forKey: .size)
        }
    }
}

/// Does without one member, and reads another in a second way that its default doesn't show.
private struct Forgiving: Codable, Equatable, FlagProtocol {
    var size = 1
    var name = "a"

    init() {}

    enum CodingKeys: CodingKey { case size, name }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = (try? container.decode(String.self, forKey: .name)) ?? ""
        do {
            size = try container.decode(Int.self, forKey: .size)
        } catch {
            size = try container.decode(String.self, forKey: .size).count
        }
    }
}

/// Refuses placeholders.
private struct Picky: Codable, Equatable, FlagProtocol {
    var size: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.decode(Int.self, forKey: .size)
        guard size > 0 else {
            throw DecodingError.dataCorruptedError(forKey: .size, in: container, debugDescription: "too small")
        }
    }
}

/// Holds itself.
private struct Recursive: Codable, Equatable, FlagProtocol {
    var size: Int
    var children: [Recursive]
}

/// Has parts of which its default has no value.
private struct Sparse: Codable, Equatable, FlagProtocol {
    struct Inner: Codable, Equatable {
        var span: UInt8
        var note: Int8?
    }

    /// Reads its member in two ways.
    struct LaxInner: Codable, Equatable {
        var title: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = (try? container.decode(String.self, forKey: .title)) ?? ""
        }
    }

    var inner: Inner?
    var named: [String: Inner] = [:]
    var list: [Inner] = []
    var theme: Theme?
    var lax: LaxInner?
}

/// Refuses placeholders, and has a part of which its default has no value.
private struct Grid: Codable, Equatable, FlagProtocol {
    struct Tag: Codable, Equatable {
        var name: String
    }

    var columns: Int
    var tags: [Tag]

    init(columns: Int) { (self.columns, tags) = (columns, []) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        columns = try container.decode(Int.self, forKey: .columns)
        tags = try container.decode([Tag].self, forKey: .tags)
        guard columns > 0 else {
            throw DecodingError.dataCorruptedError(forKey: .columns, in: container, debugDescription: "too few")
        }
    }
}

private struct GridFlags: FlagCollectionProtocol {
    @Flag("") var grid = Grid(columns: 2)
}

/// A type that says itself what its JSON is like.
private struct Described: Codable, Equatable, FlagProtocol {
    var size: Int

    static var flagConstraints: FlagConstraints {
        FlagConstraints(properties: ["size": FlagSchema(type: .integer, constraints: FlagConstraints(format: .uint8))])
    }
}

/// A wrapper that limits a type of its own width.
private struct Percent: RawRepresentable, FlagProtocol {
    var rawValue: UInt8

    static var flagConstraints: FlagConstraints { FlagConstraints(minimum: 10) }
}

private let sampleLayout = Layout(
    columns: 2, ratio: 0.5, isWide: true, theme: .dark, link: URL(filePath: "/a"), image: Data([1]),
    made: Date(timeIntervalSinceReferenceDate: 0), note: nil, limits: ["a": 1],
    cells: [.init(title: "a", span: 1)], sizes: [1, nil])

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 7, description: "") var unsigned: UInt
    @Flag(default: 7, description: "") var whole: Int
    @Flag(default: 7, description: "") var byte: UInt8
    @Flag(default: -7, description: "") var signed: Int8
    @Flag(default: 7, description: "") var short: UInt16
    @Flag(default: 7, description: "") var medium: Int32
    @Flag(default: 7, description: "") var long: UInt64
    @Flag(default: 0.5, description: "") var single: Float
    @Flag(default: 0.5, description: "") var double: Double
    @Flag(description: "") var isOn: Bool
    @Flag(description: "") var optional: Int16?
    @Flag(default: ["a"], description: "") var texts: [String]
    @Flag(default: [1], description: "") var bytes: [UInt8]
    @Flag(default: ["k": 1], description: "") var counts: [String: Int]
    @Flag(default: ["k": [1.5]], description: "") var nested: [String: [Float]]
    @Flag(default: [URL(filePath: "/a")], description: "") var links: [URL]
    @Flag(default: [Data([1])], description: "") var blobs: [Data]
    @Flag(default: [.light], description: "") var themes: [Theme]
    @Flag(default: .small, description: "") var size: Size
    @Flag(default: .half, description: "") var rate: Rate
    @Flag(default: [.small], description: "") var sizes: [Size]
    @Flag(default: ["k": .half], description: "") var rates: [String: Rate]
    @Flag(default: .low, description: "") var level: Level
    @Flag(default: Percent(rawValue: 20), description: "") var percent: Percent
    @Flag(default: sampleLayout, description: "") var layout: Layout
    @Flag(default: [sampleLayout], description: "") var layouts: [Layout]
    @Flag(default: Lax(size: 1), description: "") var lax: Lax
    @Flag(default: Forgiving(), description: "") var forgiving: Forgiving
    @Flag(default: Sparse(), description: "") var sparse: Sparse
    @Flag("") var layoutIfAny: Layout?
    @Flag(default: []) var noLayouts: [Layout]
    @Flag("") var laxIfAny: Lax?
    @Flag("") var pickyIfAny: Picky?
    @Flag("") var recursiveIfAny: Recursive?
    @Flag(default: Described(size: 1)) var described: Described
    @Flag("") var describedIfAny: Described?
}

private let numbers: [FlagValue] = [
    -9_223_372_036_854_775_808, -32769, -129, -128, -7, -1, 0, 1, 9, 10, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
    2_147_483_647, 2_147_483_648, 9_223_372_036_854_775_807, 9_223_372_036_854_775_808, 18_446_744_073_709_551_615,
    .double(0.5), .double(-1e300), .double(1e300), .double(3e38), .double(.infinity), .double(.nan),
]

private let others: [FlagValue] = [
    true, "", "a", "light", "dark", "none", "7", "-7", "300", "1e300", "https://a.example", "not a url", .date(.now),
    .data(Data()), .data(Data([1])), .data(Data("{}".utf8)),
]

private let scalars = numbers + others

private var containers: [FlagValue] {
    [.array([]), .dictionary([:])] + scalars.map { .array([$0]) } + scalars.map { .array([1, $0]) }
        + scalars.map { .dictionary(["k": $0]) } + scalars.map { .dictionary(["k": .array([$0])]) }
}

/// Layouts with one member replaced or removed, as data and as dictionaries.
private var documents: [FlagValue] {
    get throws {
        guard case .data(let data) = try sampleLayout.encoded(),
            let members = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return [] }
        let replacements: [Any] = [
            NSNull(), true, 0, -1, 2, 300, 9e127, 1e128, 1e300, 0.5, "a", "light", "https://a.example",
            "00000000-0000-0000-0000-00000000000f",
            "00000000-0000-0000-0000-00000000000G", "000000000000-0000-0000-00000000000F", "AQ==", "%", [Any](), [1],
            ["a"],
            [NSNull()], [String: Any](), ["a": 1], ["a": "b"], [["title": "a", "span": 1]],
            [["title": "a", "span": 300]],
            [["span": 1]], [["title": 1, "span": 1]],
        ]
        var objects: [[String: Any]] = [
            members, [:], ["size": 1], ["size": "abc"], ["size": true], ["size": 300],
            ["named": [String: Any](), "list": [Any]()],
            ["named": [String: Any](), "list": [Any](), "inner": ["span": 1]],
            ["named": [String: Any](), "list": [Any](), "inner": ["span": 999]],
            ["named": [String: Any](), "list": [["span": 1], ["span": -1]]],
            ["named": ["a": ["other": 1]], "list": [Any]()],
            ["named": ["a": ["span": 1, "note": 1]], "list": [Any]()],
            ["named": [String: Any](), "list": [Any](), "theme": "nope"],
            ["named": [String: Any](), "list": [Any](), "theme": "dark"],
            ["named": [String: Any](), "list": [Any](), "lax": ["title": 1]],
            ["named": [String: Any](), "list": [Any](), "lax": ["title": "a"]],
            ["size": 1, "children": [Any]()],
            ["size": 1, "children": [["size": 2, "children": [Any]()] as [String: Any]]],
            ["size": 1, "children": [["size": "a", "children": [Any]()] as [String: Any]]],
        ]
        for name in members.keys.sorted() + ["note", "further"] {
            objects.append(members.filter { $0.key != name })
            objects += replacements.map { members.merging([name: $0]) { $1 } }
        }
        let texts = try objects.map { try JSONSerialization.data(withJSONObject: $0) }
        let plists = texts.compactMap { data -> FlagValue? in
            guard
                case .success(let value) = Result(catching: {
                    try FlagJSON.value(String(decoding: data, as: UTF8.self))
                })
            else { return nil }
            return value
        }
        return texts.map(FlagValue.data) + plists
    }
}

/// Compares what the manifest's definition takes with what the app reads.
private struct Comparison: FlagVisitor {
    let manifest: FlagManifest
    let values: [FlagValue]
    /// The flags whose types refuse more than they say, and those that say more than they refuse.
    let laxer: Set<String>
    let stricter: Set<String>
    var differences: [String] = []
    var taken: [FlagKeyPath: Int] = [:]

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        guard let definition = manifest.definitions.first(where: { $0.key == flag.keyPath }) else {
            return differences.append("\(flag.keyPath) is not in the manifest")
        }
        for value in values {
            let problem: String? = {
                do throws(FlagValueError) {
                    _ = try definition.interpret(value)
                    return nil
                } catch { return error.description }
            }()
            let isRead = if case .success = Result(catching: { try Value.decode(value) }) { true } else { false }
            if problem == nil { taken[flag.keyPath, default: 0] += 1 }
            guard (problem == nil) != isRead, !(isRead ? stricter : laxer).contains(flag.keyPath.text) else { continue }
            let text = if case .data(let data) = value { String(decoding: data, as: UTF8.self) } else { "\(value)" }
            differences.append("\(flag.keyPath): \(text) is \(isRead ? "read" : "not read"), but \(problem ?? "taken")")
        }
    }
}

@Suite("What the code knows of a type, the manifest knows")
struct TypeKnowledgeTests {
    private func manifest() throws -> (FlagManifest, FlagsManager) {
        let manager = FlagsManager(providers: [InMemoryProvider()])
        manager.addCollection(Flags.self)
        // Through the file's bytes.
        return (try FlagManifest(source: try manager.manifest().document.source), manager)
    }

    @Test("Only what a default lacks is made up, so that a type that refuses placeholders elsewhere is known whole")
    func completedDefault() throws {
        let manager = FlagsManager(providers: [InMemoryProvider()])
        manager.addCollection(GridFlags.self)
        let definition = try #require(try manager.manifest().definitions.first)
        _ = try definition.interpret(.data(Data(#"{"columns":1,"tags":[{"name":"a"}]}"#.utf8)))
        #expect(throws: FlagValueError.self) {
            _ = try definition.interpret(.data(Data(#"{"columns":1,"tags":[{"name":1}]}"#.utf8)))
        }
    }

    @Test("The manifest takes exactly the values that the app reads")
    func sameValues() throws {
        let (manifest, manager) = try manifest()
        var comparison = Comparison(
            manifest: manifest, values: try scalars + containers + documents,
            laxer: ["level", "lax", "forgiving", "lax_if_any", "picky_if_any"],
            stricter: ["percent", "described", "described_if_any"])
        for flag in manager.featureFlags { flag.accept(&comparison) }
        #expect(comparison.differences == [])
        #expect(comparison.taken.count == manager.featureFlags.count)
        let asked = manifest.definitions.filter { $0.key.text.hasSuffix("_if_any") }
        #expect(
            asked.filter(\.constraints.properties.isEmpty).map(\.key.text) == ["picky_if_any"],
            "only a type that refuses placeholders takes any JSON")
        #expect(manifest.definitions.first { $0.key.text == "described" }?.expectation == "a JSON object with size")
    }
}
