import FeatureFlags
import Foundation
import Testing

/// Holds one answer for every key.
private struct FixedProvider: FlagsProvider {
    let name: String
    var stored: Result<FlagValue?, FlagValueError>

    var shortDescription: String { "A fixed answer" }
    var isWritable = true

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try stored.get()
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueError("read-only")
    }
}

private func absent(_ name: String) -> FixedProvider { FixedProvider(name: name, stored: .success(nil)) }

private func holding(_ value: FlagValue, _ name: String) -> FixedProvider {
    FixedProvider(name: name, stored: .success(value))
}

private func unreadable(_ name: String) -> FixedProvider {
    FixedProvider(name: name, stored: .failure(FlagValueError("no file")))
}

@Suite("Resolution")
struct FlagResolutionTests {
    private let definition = flag(.bool, default: .bool(true))

    @Test("The first provider that holds a value wins, and every answer is kept in order")
    func precedence() {
        let resolution = definition.resolve(in: [absent("A"), holding(.bool(false), "B"), holding(.bool(true), "C")])
        #expect(resolution.effectiveValue == .bool(false))
        #expect(resolution.source == .provider("B"))
        #expect(resolution.readings.map(\.provider) == ["A", "B", "C"])
        #expect(resolution["A"] == .absent)
        #expect(resolution["B"] == .value(.bool(false), stored: .bool(false)))
        #expect(resolution["C"] == .value(.bool(true), stored: .bool(true)))
        #expect(resolution["D"] == nil)
        #expect(resolution.isOverridden)
        #expect(!resolution.isBroken)
    }

    @Test("Without a provider that holds a value, the default is in force")
    func byDefault() {
        for providers in [[], [absent("A"), absent("B")]] {
            let resolution = definition.resolve(in: providers)
            #expect(resolution.effectiveValue == .bool(true))
            #expect(resolution.source == .defaultValue)
            #expect(!resolution.isOverridden)
        }
    }

    @Test("Without a default either, there is no value")
    func nothing() {
        let resolution = flag(.bool).resolve(in: [absent("A")])
        #expect(resolution.effectiveValue == nil)
        #expect(resolution.source == .none)
        #expect(!resolution.isOverridden)
    }

    @Test("A value is read as the flag's type, and what is stored is kept beside it")
    func conversion() {
        let resolution = definition.resolve(in: [holding(.string("off"), "A")])
        #expect(resolution.effectiveValue == .bool(false))
        #expect(resolution["A"] == .value(.bool(false), stored: .string("off")))
    }

    @Test("A value of the wrong type, or one that can't be read, is reported, and the next provider is asked")
    func broken() {
        let resolution = definition.resolve(in: [
            holding(.string("maybe"), "A"), unreadable("B"), holding(.bool(false), "C"),
        ])
        #expect(resolution.effectiveValue == .bool(false))
        #expect(resolution.source == .provider("C"))
        #expect(resolution.isBroken)
        #expect(
            resolution["A"]
                == .broken(
                    FlagValueError("found string \"maybe\", expected true or false"),
                    stored: .string("maybe")))
        #expect(resolution["B"] == .broken(FlagValueError("no file"), stored: nil))
    }

    @Test("Broken answers alone leave the default in force, and are still reported")
    func allBroken() {
        let resolution = definition.resolve(in: [unreadable("A")])
        #expect(resolution.effectiveValue == .bool(true))
        #expect(resolution.source == .defaultValue)
        #expect(resolution.isBroken)
        #expect(!resolution.isOverridden)
    }

    @Test("A value that breaks a constraint is broken")
    func constraints() {
        let limited = flag(.integer, default: .integer(1), FlagConstraints(maximum: 5))
        let resolution = limited.resolve(in: [holding(.integer(6), "A")])
        #expect(resolution.effectiveValue == .integer(1))
        #expect(resolution.isBroken)
    }

    @Test("An override that equals the default is an override all the same")
    func equalOverride() {
        #expect(definition.resolve(in: [holding(.bool(true), "A")]).isOverridden)
    }

    @Test("A value of a provider that can't be changed is no override, and counts as the default")
    func unchangeable() {
        let providers = [FixedProvider(name: "A", stored: .success(.bool(false)), isWritable: false)]
        let resolution = definition.resolve(in: providers)
        #expect(resolution.source == .provider("A") && resolution.effectiveValue == .bool(false))
        #expect(!resolution.isOverridden && FlagState(resolution) == .off)
        let onTop = definition.resolve(in: [holding(.bool(false), "B")] + providers)
        #expect(onTop.isOverridden && FlagState(onTop) == .overriddenOff)
    }

    @Test(
        "The state says whether a flag is on, and whether a provider makes it so",
        arguments: [
            (.bool, .bool(true), nil, .on, "On"), (.bool, .bool(false), nil, .off, "Off"),
            (.bool, .bool(false), .bool(true), .overriddenOn, "Overridden on"),
            (.bool, .bool(true), .string("no"), .overriddenOff, "Overridden off"),
            (.bool, .bool(true), .bool(true), .overriddenOn, "Overridden on"), (.bool, nil, nil, .noValue, "No value"),
            (.bool, nil, .bool(false), .overriddenOff, "Overridden off"),
            (.bool, .bool(true), .string("maybe"), .on, "On"),
            (.bool, nil, .string("maybe"), .noValue, "No value"), (.integer, .integer(0), nil, .byDefault, "Default"),
            (.integer, .integer(0), .integer(0), .overridden, "Overridden"),
            (.string, nil, .string(""), .overridden, "Overridden"),
            (.string, nil, nil, .noValue, "No value"),
        ] as [(FlagType, FlagValue?, FlagValue?, FlagState, String)])
    func state(type: FlagType, default value: FlagValue?, stored: FlagValue?, state: FlagState, label: String) {
        let provider = FixedProvider(name: "A", stored: .success(stored))
        #expect(FlagState(flag(type, default: value).resolve(in: [provider])) == state)
        #expect(state.label == label)
    }
}
