import FeatureFlags
import FeatureFlagsTesting
import Foundation
import Synchronization
import Testing

@Suite("The delegate provider")
struct DelegateProviderTests {
    @Test("It passes the conformance suite")
    func conforms() async throws {
        let delegates = Mutex<[Delegate]>([])
        try await FlagsProviderConformance.check {
            let delegate = Delegate()
            delegates.withLock { $0.append(delegate) }
            return DelegateProvider(delegate: delegate)
        }
    }

    @Test("A read-only one passes the conformance suite and never asks the delegate to change")
    func conformsReadOnly() async throws {
        let delegate = Delegate()
        _ = try delegate.setValue("x", forFlag: keyPath("a"))
        try await FlagsProviderConformance.checkReadOnly(holding: [keyPath("a"): .string("x")]) {
            DelegateProvider(delegate: delegate, isWritable: false)
        }
        #expect(delegate.asked.filter { $0.hasPrefix("set") } == ["set String"])
    }

    @Test("RealFlags: the delegate is asked for, and given, the flag's own type")
    func forwardsTypes() throws {
        let delegate = Delegate()
        let provider = DelegateProvider(name: "App", delegate: delegate)
        let loader = FlagsLoader(OneFlag.self, providers: [provider])
        #expect(!loader.on)
        #expect(loader.$on.setValue(true).map(\.name) == ["App"])
        #expect(loader.on)
        #expect(try provider.value(of: Bool?.self, at: keyPath("other")) == nil)
        #expect(try provider.setValue(Int?.none, forFlag: keyPath("on")))
        #expect(!loader.on)
        #expect(
            delegate.asked == [
                "get Bool", "get FlagValue", "set Bool", "get Bool", "get Optional<Bool>", "get FlagValue", "set nil",
                "get Bool", "get FlagValue",
            ])
    }

    @Test("Without its delegate, which it does not keep alive, nothing is held and nothing is taken")
    func isWeak() throws {
        let provider = DelegateProvider()
        do {
            let delegate = Delegate()
            provider.delegate = delegate
            try provider.setValue(true, forFlag: keyPath("on"))
            #expect(try provider.value(of: Bool.self, at: keyPath("on")) == true)
        }
        #expect(provider.delegate == nil)
        #expect(try provider.value(of: Bool.self, at: keyPath("on")) == nil)
        #expect(try !provider.setValue(true, forFlag: keyPath("on")))
        #expect(throws: FlagError.self) { try provider.setStoredValue(.bool(true), at: keyPath("on")) }
        #expect(DelegateProvider().name != provider.name)
    }

    @Test("A delegate's refusal and its error come through, by name")
    func refuses() throws {
        let delegate = Delegate()
        let provider = DelegateProvider(name: "App", delegate: delegate)
        let loader = FlagsLoader(OneFlag.self, providers: [provider])
        delegate.answer = false
        #expect(try !provider.setValue(true, forFlag: keyPath("on")))
        let refusal = try #require(throws: FlagError.self) { try loader.$on.set(true, in: "App") }
        #expect(refusal.description == "the provider App rejected the value; check which values it allows")
        #expect(throws: FlagError.self) { try provider.setStoredValue(.bool(true), at: keyPath("on")) }
        delegate.answer = nil
        #expect(throws: CocoaError.self) { try provider.setValue(true, forFlag: keyPath("on")) }
        #expect(throws: CocoaError.self) { try provider.resetValue(at: keyPath("on")) }
        provider.isWritable = false
        #expect(try !provider.setValue(true, forFlag: keyPath("on")))
    }
}

/// A delegate that keeps what it is given, and notes what it is asked for.
private final class Delegate: DelegateProviderProtocol {
    private let store = FlagValueStore()
    private let state = Mutex(State())

    private struct State {
        var asked: [String] = []
        var answer: Bool? = true
    }

    var asked: [String] { state.withLock { $0.asked } }

    /// Whether changes are taken; `nil` throws.
    var answer: Bool? {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    func valueForFlag<Value: FlagProtocol>(key: FlagKeyPath) -> Value? {
        state.withLock { $0.asked.append("get \(Value.self)") }
        guard case .success(let value?) = Result(catching: { try store.value(at: key) }) else {
            // As a cast from a dictionary of anything has it: for an optional type, that there is none is a value.
            return Optional<Any>.none as? Value
        }
        return Value(encoded: value)
    }

    func setValue<Value: FlagProtocol>(_ value: Value?, forFlag key: FlagKeyPath) throws -> Bool {
        state.withLock { $0.asked.append(value == nil ? "set nil" : "set \(Value.self)") }
        guard let answer else { throw CocoaError(.fileWriteNoPermission) }
        if answer { try store.set(value?.encoded(), at: key) }
        return answer
    }

    func resetValueForFlag(_ key: FlagKeyPath) throws {
        guard answer != nil else { throw CocoaError(.fileWriteNoPermission) }
        try store.set(nil, at: key)
    }
}
