import FeatureFlags
import Synchronization
import Testing

/// A delegate that knows a flag by its own type alone, as one of RealFlags does.
private final class BoolDelegate: DelegateProviderProtocol {
    private let value = Mutex<Bool?>(nil)

    func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? { value.withLock { $0 } as? Value }

    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        guard let value = value as? Bool else { return false }
        self.value.withLock { $0 = value }
        return true
    }

    func resetValueForFlag(_ key: FlagKeyPath) throws { value.withLock { $0 = nil } }
}

@Suite("Changes by a provider's own way of storing")
struct OwnStoringTests {
    @Test("An override is handed to a delegate as a Boolean")
    func override() throws {
        let delegate = BoolDelegate()
        let manager = FlagsManager(providers: [DelegateProvider(name: "App", delegate: delegate)])
        let flag = Flag(key: "beta", default: false, description: "Beta")
        try manager.register(flag)
        try flag.setOverride(.enabled)
        #expect(flag.wrappedValue && flag.override == .enabled)
        flag.override = .featureDefault
        #expect(!flag.wrappedValue)
    }

    @Test("A registered flag's organising groups show in descriptions and not in its key path")
    func organisingGroups() throws {
        let manager = FlagsManager(providers: [])
        let flag = Flag(key: "beta", default: false, description: "Beta")
        try manager.register(flag, in: ["labs"], organisedIn: ["Team", "New"])
        #expect(flag.keyPath.text == "labs/beta")
        #expect(manager.featureFlags.summary() == "Team → New → labs → Beta [OFF by default]")
    }
}
