import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct MyConfigs: FlagCollectionProtocol {
    @Flag(default: true, description: "Some feature") var someFeatureEnabled: Bool
    @Flag(default: 12, description: "A number") var numberOfItems: Int
    @Flag(default: 0.5, description: "A ratio") var ratio: Double
    @Flag(default: Date(timeIntervalSince1970: 0), description: "A day") var since: Date
    @Flag(default: [:], description: "Limits") var limits: [String: [Int]]
}

@Suite("Binary property lists")
struct BinaryPropertyListTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let since = Date(timeIntervalSince1970: 1_769_860_800)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("MyConfigs.plist")
        let values: [String: Any] = [
            "someFeatureEnabled": false, "numberOfItems": 3, "ratio": 1.0, "since": since, "limits": ["a": [1, 2]],
            "other": Data([1, 2]),
        ]
        try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0).write(to: file)
    }

    private func content() throws -> (format: PropertyListSerialization.PropertyListFormat, values: [String: FlagValue])
    {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let root = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: &format)
        return (format, try FlagValue.entries(foundation: try #require(root as? [String: Any])))
    }

    @Test("An app's resource is read as its override file, with the kinds that Xcode wrote")
    func reads() throws {
        let configs = LayeredFlags(MyConfigs.self, overrideFile: file, persisted: InMemoryProvider(name: "Persisted"))
        #expect(!configs.flags.someFeatureEnabled && configs.flags.numberOfItems == 3 && configs.flags.ratio == 1)
        #expect(configs.flags.since == since && configs.flags.limits == ["a": [1, 2]])
        #expect(configs.flags.diagnostics.current.isEmpty)
    }

    @Test("A change is refused, with the way out, and the file stays as it is")
    func refuses() throws {
        let before = try Data(contentsOf: file)
        let flags = FlagsLoader(
            MyConfigs.self, providers: [LocalProvider(localURL: file)],
            keyConfiguration: KeyConfiguration(keyTransform: .none))
        let error = #expect(throws: FlagValueError.self) { try flags.$numberOfItems.set(4, in: "Local") }
        #expect(error?.description.contains("is a binary property list, which is read-only; convert it to XML") == true)
        #expect(try Data(contentsOf: file) == before && flags.numberOfItems == 3)
    }

    @Test("A provider that keeps it binary writes it as that, with all other values as they were")
    func keepsBinary() throws {
        let local = LocalProvider(localURL: file, keepsBinary: true)
        let flags = FlagsLoader(
            MyConfigs.self, providers: [local], keyConfiguration: KeyConfiguration(keyTransform: .none))
        var expected = try content().values
        try flags.$numberOfItems.set(4, in: "Local")
        try flags.$ratio.set(nil, in: "Local")
        expected["numberOfItems"] = 4
        expected["ratio"] = nil
        #expect(try content().format == .binary && content().values == expected)
        #expect(flags.numberOfItems == 4 && flags.ratio == 0.5)
        #expect(try LocalProvider(localURL: file).store?.values == expected)
        try PropertyListSerialization.data(
            fromPropertyList: ["numberOfItems": 9], format: .binary, options: 0
        ).write(to: file)
        try local.refresh()
        #expect(flags.numberOfItems == 9 && flags.someFeatureEnabled)
    }

    @Test("A damaged one is broken, and so is one whose root is no dictionary or holds what no flag can")
    func broken() throws {
        let list = try PropertyListSerialization.data(fromPropertyList: [1], format: .binary, options: 0)
        for data in [Data("bplist00 and no more".utf8), list] {
            try data.write(to: file)
            let local = LocalProvider(localURL: file)
            #expect(throws: FlagValueError.self) {
                try local.storedValue(at: FlagKeyPath(components: ["numberOfItems"]))
            }
            #expect(throws: (any Error).self) {
                try local.setStoredValue(1, at: FlagKeyPath(components: ["numberOfItems"]))
            }
            #expect(try Data(contentsOf: file) == data)
        }
    }
}
