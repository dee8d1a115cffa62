import FeatureFlags
import Testing

/// A type that reads and writes `EncodedFlagValue`, as in RealFlags' documents.
@available(*, deprecated)
private struct Degrees: FlagProtocol, Equatable {
    var celsius: Double

    init(celsius: Double) { self.celsius = celsius }

    init?(encoded value: EncodedFlagValue) {
        guard case .double(let celsius) = value else { return nil }
        self.celsius = celsius
    }

    func encoded() -> EncodedFlagValue { .double(celsius) }
}

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 1, description: FlagMetadata(description: "A number", isLocked: true))
    var number: Int

    @Flag(default: true, description: "A switch")
    var isOn: Bool
}

/// Calls as programs for RealFlags have them: each does what the call of the new name does.
@Suite("RealFlags' spellings are deprecated, and do the same")
struct RealFlagsSpellingsTests {
    private let memory = InMemoryProvider(values: ["number": 7])
    private let flags: FlagsLoader<Flags>

    init() { flags = FlagsLoader(Flags.self, providers: [memory]) }

    @Test("A flag whatever its type")
    @available(*, deprecated)
    func anyFlag() throws {
        let flag: any AnyFlag = flags.$number
        #expect(flag.getValueForFlag() as? Int == 7)
        #expect(flags.$number.getValueForFlag(from: InMemoryProvider.self) as? Int == 7)
        #expect(flag.getValueDescriptionForFlag(from: nil).value == "7")
        #expect(flags.$number.getValueDescriptionForFlag().sourceProvider?.name == memory.name)
        #expect(flag.isUILocked)
        let other = InMemoryProvider()
        try flag.setValueToProvider(other)
        #expect(try other.store?.values == ["number": 7])
        #expect(flags.$isOn.enabled)
    }

    @Test("A provider")
    @available(*, deprecated)
    func provider() async throws {
        let key = flags.$number.keyPath
        var updates = try #require(memory.didUpdateValueForKey()).makeAsyncIterator()
        #expect(memory.valueForFlag(key: key) == 7)
        try memory.setStoredValue("no number", at: key)
        #expect(memory.valueForFlag(key: key) == 7, "the last good one")
        try memory.resetValueForFlag(key: key)
        #expect(memory.valueForFlag(key: key) == nil as Int?)
        #expect(await updates.next()?.keys == [key])
    }

    @Test("A key path, and the naming rules of key paths")
    @available(*, deprecated)
    func keyPath() {
        let path = FlagKeyPath(components: ["a", "b/c"], separator: FlagKeyPath.DefaultPathSeparator)
        #expect(path.fullPath == "a/b/c" && path.pathComponents == ["a", "b/c"])
        #expect(path.first == "a" && path.last == "b/c" && path.count == 2)
        #expect(path[1] == "b/c" && path[2] == nil)
        #expect(KeyConfiguration(prefix: "app").globalPrefix == "app")
    }

    @Test("A stored value")
    @available(*, deprecated)
    func storedValue() throws {
        #expect(try Degrees.decode(Degrees(celsius: 21.5).encoded()) == Degrees(celsius: 21.5))
        #expect(EncodedFlagValue.float(245.542) == Float(245.542).encoded())
    }
}
