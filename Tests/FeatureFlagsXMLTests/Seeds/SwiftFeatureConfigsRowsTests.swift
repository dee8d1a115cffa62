import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

private struct MyConfigs: FlagCollectionProtocol {
    @Flag(default: true, description: "Some feature")
    var someFeatureEnabled: Bool
    @Flag(default: 12, description: "How many items to show")
    var numberOfItemsToDisplay: Int
    @Flag(default: "Sample", description: FlagMetadata(description: "A title", isPersistable: false))
    var mainViewTitle: String
}

private struct OtherConfigs: FlagCollectionProtocol {
    @Flag(default: 1, description: "The same name as another collection's")
    var numberOfItemsToDisplay: Int
}

/// The one instance that an app shares, which the compiler takes for safe to share.
private enum SharedConfigs {
    static let instance = LayeredFlags(MyConfigs.self, persisted: InMemoryProvider(name: "Persisted"))
}

/// What section 4 of the list of seed systems says of SwiftFeatureConfigs, a test for each claim.
@Suite("SwiftFeatureConfigs")
struct SwiftFeatureConfigsRowsTests {
    private let folder: TemporaryFolder
    private let persisted = InMemoryProvider(name: "Persisted")

    init() throws { folder = try TemporaryFolder() }

    private func configs(_ elements: String) throws -> LayeredFlags<MyConfigs> {
        let file = folder.file("Custom.plist")
        try Data("<plist version=\"1.0\"><dict>\(elements)</dict></plist>".utf8).write(to: file)
        return LayeredFlags(MyConfigs.self, overrideFile: file, persisted: persisted)
    }

    @Test("Four levels: the override file, then memory, then what was persisted, then the default")
    func levels() throws {
        let configs = try configs("<key>numberOfItemsToDisplay</key><integer>4</integer>")
        let values: [String: FlagValue] = ["numberOfItemsToDisplay": 3]
        persisted.replaceValues(with: ["numberOfItemsToDisplay": 2, "mainViewTitle": "Persisted"])
        configs.loadInMemoryFeatures(values)
        #expect(configs.flags.numberOfItemsToDisplay == 4)
        let without = LayeredFlags(MyConfigs.self, persisted: persisted)
        without.loadInMemoryFeatures(values)
        #expect(without.flags.numberOfItemsToDisplay == 3)
        without.clearInMemoryConfigs()
        #expect(without.flags.numberOfItemsToDisplay == 2 && without.flags.mainViewTitle == "Persisted")
        try without.clearPersistedConfigs()
        #expect(without.flags.numberOfItemsToDisplay == 12)
    }

    @Test("One instance is shared, and read and loaded by any number of tasks")
    func shared() async {
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    SharedConfigs.instance.loadInMemoryFeatures(["numberOfItemsToDisplay": .integer(Int128(number))])
                    _ = SharedConfigs.instance.flags.numberOfItemsToDisplay
                }
            }
        }
        #expect((0..<8).contains(SharedConfigs.instance.flags.numberOfItemsToDisplay))
    }

    @Test("The key is the property's name")
    func key() throws {
        let flag = LayeredFlags(MyConfigs.self, persisted: persisted).flags.$numberOfItemsToDisplay
        #expect(flag.keyPath.components == ["numberOfItemsToDisplay"])
    }

    @Test("A value of the wrong type falls to the next level, and is reported")
    func wrongType() throws {
        let configs = try configs("<key>numberOfItemsToDisplay</key><string>many</string>")
        persisted.replaceValues(with: ["numberOfItemsToDisplay": 2])
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": [1]])
        #expect(configs.flags.numberOfItemsToDisplay == 2)
        #expect(configs.flags.diagnostics.current.map(\.provider) == ["Custom.plist", "In memory"])
    }

    @Test("The override file is the one given, else the one named as the collection, else none")
    func overrideFile() throws {
        #expect(LayeredFlags<MyConfigs>.overrideFile(in: folder.url) == nil)
        let file = folder.file("MyConfigs.plist")
        try Data("<plist version=\"1.0\"><dict/></plist>".utf8).write(to: file)
        #expect(LayeredFlags<MyConfigs>.overrideFile(in: folder.url)?.lastPathComponent == "MyConfigs.plist")
        let none = LayeredFlags(MyConfigs.self, overrideFile: nil, persisted: persisted)
        #expect(none.flags.providers.map(\.name) == ["In memory", "Persisted"])
    }

    @Test("Loading into memory replaces everything that was there")
    func loading() throws {
        let configs = LayeredFlags(MyConfigs.self, persisted: persisted)
        let fromServer: [String: Any] = ["someFeatureEnabled": false, "mainViewTitle": "From the server"]
        try configs.loadInMemoryFeatures(fromServer)
        #expect(!configs.flags.someFeatureEnabled && configs.flags.mainViewTitle == "From the server")
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": 15])
        #expect(configs.flags.someFeatureEnabled && configs.flags.numberOfItemsToDisplay == 15)
    }

    @Test("Persisting leaves out what is not persistable")
    func persisting() throws {
        let configs = LayeredFlags(MyConfigs.self, persisted: persisted)
        configs.loadInMemoryFeatures(["numberOfItemsToDisplay": 15, "mainViewTitle": "Mine"])
        try configs.persist()
        #expect(try persisted.store?.values == ["numberOfItemsToDisplay": 15])
    }

    @Test("Two collections have an override file each, not one for all")
    func ownFiles() throws {
        let mine = try configs("<key>numberOfItemsToDisplay</key><integer>4</integer>")
        let others = LayeredFlags(OtherConfigs.self, overrideFile: nil, persisted: persisted)
        #expect(mine.flags.numberOfItemsToDisplay == 4 && others.flags.numberOfItemsToDisplay == 1)
    }

    @Test("Unknown keys do no harm at any level")
    func unknownKeys() throws {
        let configs = try configs("<key>unknown</key><array><dict/></array>")
        configs.loadInMemoryFeatures(["unknown": 1, "other": ["a": "b"]])
        try configs.persist()
        #expect(configs.flags.numberOfItemsToDisplay == 12)
        #expect(try persisted.store?.values == [:])
    }
}
