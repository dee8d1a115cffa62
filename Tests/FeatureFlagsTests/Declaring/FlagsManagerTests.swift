import FeatureFlags
import Foundation
import Testing

private struct UserFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Dark mode")
    var darkMode: Bool

    @FlagCollection(description: "Lists")
    var list: ListFlags
}

private struct ListFlags: FlagCollectionProtocol {
    @Flag(default: true, description: "Endless")
    var infiniteScroll: Bool

    @Flag(default: 20, description: FlagMetadata(description: "Rows", requiresRestart: true))
    var pageSize: Int
}

private struct OtherFlags: FlagCollectionProtocol {
    @Flag(key: "dark_mode", default: 0, description: "The same key as another flag's")
    var brightness: Int

    @Flag(key: "list", default: "", description: "The key of a group")
    var listName: String
}

@Suite("A manager of collections")
struct FlagsManagerTests {
    private let local = TestProvider(name: "Local")
    private let manager: FlagsManager

    init() { manager = FlagsManager(providers: [local], keyConfiguration: KeyConfiguration(prefix: "app")) }

    @Test("There is one loader of a collection type, until it is removed")
    func loaders() {
        #expect(manager.loader(forType: UserFlags.self) == nil)
        let loader = manager.addCollection(UserFlags.self)
        #expect(manager.addCollection(UserFlags.self) === loader)
        #expect(manager.loader(forType: UserFlags.self) === loader)
        #expect(manager.loaders.count == 1)
        #expect(loader.$darkMode.keyPath.text == "app/dark_mode")
        manager.removeCollection(forType: UserFlags.self)
        #expect(manager.loader(forType: UserFlags.self) == nil)
        #expect(!loader.darkMode, "who holds the loader can go on")
    }

    @Test("Colliding key paths are found when a collection is loaded, and both flags are named")
    func collisions() {
        manager.addCollection(UserFlags.self)
        #expect(manager.keyCollisions.isEmpty)
        manager.addCollection(OtherFlags.self)
        #expect(
            manager.keyCollisions.map(\.description) == [
                "app/dark_mode: Brightness and Dark Mode have the same key path; change one of the keys",
                "app/list/infinite_scroll: it is inside app/list, which is the key path of List Name; change one of the keys",
                "app/list/page_size: it is inside app/list, which is the key path of List Name; change one of the keys",
            ])
        #expect(manager.diagnostics.current == manager.keyCollisions)
    }

    @Test("A flag is registered at run time, and reads like a declared one")
    func registering() throws {
        let flag = Flag(key: "beta", default: false, description: "Beta")
        try manager.register(flag, in: ["labs"])
        #expect(flag.keyPath.text == "app/labs/beta")
        try local.setStoredValue(.bool(true), at: flag.keyPath)
        #expect(flag.wrappedValue, "a saved override is in force at once")
        #expect(manager.featureFlags.map(\.keyPath.text) == ["app/labs/beta"])
    }

    @Test("A registered duplicate is refused, and takes the place of the first where that is forced")
    func duplicates() throws {
        manager.addCollection(UserFlags.self)
        let (first, second) = (
            Flag(key: "beta", default: 1, description: "First"), Flag(key: "beta", default: 2, description: "Second")
        )
        try manager.register(first)
        #expect(throws: FlagError.self) { try manager.register(second) }
        #expect(throws: FlagError.self) {
            try manager.register(first, forced: true)
        }
        try manager.register(second, forced: true)
        #expect(manager.featureFlags.last?.definition.defaultValue == .integer(2))
        #expect(manager.featureFlags.count == 4)
        let declared = Flag(key: "dark_mode", default: true, description: "Declared by a collection")
        #expect(throws: FlagError.self) { try manager.register(declared) }
        #expect(throws: FlagError.self) { try manager.register(declared, forced: true) }
        #expect(throws: FlagError.self) {
            try manager.register(Flag(key: "deeper", default: 1, description: "Below a flag"), in: ["dark_mode"])
        }
        #expect(throws: FlagError.self) {
            try manager.register(Flag(default: 1, description: "Without a key"))
        }
    }

    @Test("Flags that need a restart wait from the change on until it is undone")
    func restart() {
        let flags = manager.addCollection(UserFlags.self)
        #expect(manager.flagsAwaitingRestart.isEmpty)
        flags.list.$pageSize.setValue(50)
        flags.$darkMode.setValue(true)
        #expect(manager.flagsAwaitingRestart.map(\.name) == ["Page Size"])
        flags.list.$pageSize.setValue(20)
        #expect(manager.flagsAwaitingRestart.isEmpty)
    }

    @Test(
        "The summary lists flags by state, with their groups",
        arguments: [
            (
                FlagSelection.all,
                "Dark Mode [ON by override]\nList → Infinite Scroll [ON by default]\nList → Page Size [integer 20 by default]"
            ),
            (.enabled, "Dark Mode [ON by override]\nList → Infinite Scroll [ON by default]"),
            (.disabled, ""),
            (.overridden, "Dark Mode [ON by override]"),
        ])
    func summary(selection: FlagSelection, text: String) {
        let flags = manager.addCollection(UserFlags.self)
        flags.$darkMode.override = .enabled
        #expect(manager.featureFlags.summary(of: selection) == text)
    }

    @Test("A visitor walks flags and groups in the order of declaration, with the types of the values")
    func visiting() {
        struct Names: FlagVisitor {
            var lines: [String] = []
            mutating func enter(_ collection: AnyFlagCollection) { lines.append("> \(collection.name)") }
            mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
                lines.append("\(flag.name): \(Value.self)")
            }
            mutating func leave(_ collection: AnyFlagCollection) { lines.append("< \(collection.name)") }
        }
        manager.addCollection(UserFlags.self)
        var names = Names()
        manager.tree.walk(&names)
        #expect(
            names.lines == ["Dark Mode: Bool", "> List", "Infinite Scroll: Bool", "Page Size: Int", "< List"])
    }

    @Test("A flag is handled whatever the type of its value")
    func typeErased() throws {
        let flags = manager.addCollection(UserFlags.self)
        let flag: any AnyFlag = flags.list.$pageSize
        #expect(flag.readableDataType == "Int")
        #expect(flag.hasWritableProvider)
        #expect(flag.defaultFallbackValue as? Int == 20)
        #expect(flag.definition.type == .integer)
        try flag.setStoredValue(.integer(7), in: "Local")
        #expect(flag.anyValue(from: nil) as? Int == 7)
        #expect(flag.valueDescription(from: nil).value == "7")
        #expect(flag.valueDescription(from: nil).sourceProvider?.name == "Local")
        #expect(throws: FlagValueError.self) { try flag.setStoredValue(.string("many"), in: "Local") }
        try flag.setDefaultValue(30)
        #expect(throws: FlagValueError.self) { try flag.setDefaultValue("thirty") }
        try flag.resetValue()
        #expect(flags.list.pageSize == 30)
        let optional: any AnyFlag = Flag<String?>(key: "text", description: "Optional")
        #expect(optional.readableDataType == "String")
    }
}
