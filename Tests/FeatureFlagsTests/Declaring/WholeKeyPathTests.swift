import FeatureFlags
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag("Moved", keyPath: ["old", "a/b"]) var moved = 1
    @FlagCollection(description: "A group") var group: Group
}

private struct Group: FlagCollectionProtocol {
    @Flag("Moved", key: "unused", keyPath: ["legacy", "oneClick"]) var quick = false
    @Flag(keyPath: ["app", "group", "size"], description: "In its own group, by another name") var big: Int?
    @Flag(keyPath: ["switch"], description: "At the top") var isOn: Bool
    @Flag(keyPath: nil, description: "Derived") var text: String
    @Flag(keyPath: ["computed"], dynamicDefault: { flag in flag.keyPath.text }, description: "") var own: String
}

@Suite("Flags that name their whole key path")
struct WholeKeyPathTests {
    private let memory = InMemoryProvider(values: ["old": ["a/b": 7], "legacy": ["oneClick": true]])
    private let flags: FlagsLoader<Flags>

    init() {
        let keys = KeyConfiguration(prefix: "app", pathSeparator: ".", keyTransform: .kebabCase)
        flags = FlagsLoader(Flags.self, providers: [memory], keyConfiguration: keys)
    }

    @Test("Neither groups nor the prefix nor a key add to it, and it is split nowhere")
    func keyPaths() {
        #expect(
            flags.featureFlags.map(\.keyPath.text)
                == ["old/a~1b", "legacy/oneClick", "app/group/size", "switch", "app/group/text", "computed"])
        #expect(flags.moved == 7 && flags.group.quick && flags.group.own == "computed")
        #expect(flags.group.$quick.keyPath.flatKey == "legacy.oneClick", "the separator is the loader's")
        #expect(Flag(keyPath: ["a", "b"], default: 1, description: "Not placed").keyPath.text == "a/b")
    }

    @Test("Tools show it in the group that declares it")
    func group() {
        let groups = flags.featureFlags.map { $0.definition.group?.text }
        #expect(groups == [nil, "app/group", nil, "app/group", nil, "app/group"])
        #expect(flags.group.$quick.groups == ["Group"])
    }

    @Test("It is stored, reset and snapshot there")
    func storing() throws {
        try flags.group.$isOn.set(true)
        #expect(try memory.store?.values["switch"] == true)
        var snapshot = flags.emptySnapshot()
        snapshot.group.big = 3
        try snapshot.save(to: memory)
        #expect(try memory.store?.values["app"] == ["group": ["size": 3]])
        try flags.group.$quick.resetValue()
        #expect(try memory.store?.values["legacy"] == [:] && !flags.group.quick)
    }

    @Test("Two flags of one key path are reported, and one that is registered at run time needs no key")
    func collisions() throws {
        let manager = FlagsManager(providers: [memory], keyConfiguration: KeyConfiguration(prefix: "app"))
        manager.addCollection(Flags.self)
        let same = Flag(keyPath: ["legacy", "oneClick"], default: 1, description: "The same")
        #expect(try #require(throws: FlagError.self) { try manager.register(same) }.isKeyCollision)
        let other = Flag(keyPath: ["legacy", "other"], default: 1, description: "Another")
        try manager.register(other, in: ["labs"])
        #expect(other.keyPath.text == "legacy/other" && manager.keyCollisions.isEmpty)
        #expect(other.definition.group?.text == nil)
    }
}
