import FeatureFlags
import Testing

/// The rules for a writable provider, each with a new, empty one.
struct WritableRules<Provider: FlagsProvider> {
    let provider: Provider
    let limits: FlagsProviderConformance.Limits
    let location: SourceLocation

    func absence() throws {
        expect(provider.isWritable, "a provider checked for writing reports that it is writable")
        expect(try provider.storedValue(at: key("a")) == nil, "no value exists at first")
        expect(try provider.storedValue(at: key("a", "b")) == nil, "no value exists in a group at first")
        try provider.setStoredValue(nil, at: key("a"))
        try provider.setStoredValue(nil, at: key("a", "b", "c"))
        try provider.resetValue(at: key("a", "b"))
        expect(try provider.storedValue(at: key("a")) == nil, "removing an absent value creates nothing")
        expect(
            try provider.value(of: Bool.self, at: key("a")) == nil,
            "an absent value has no type and is not an error")
    }

    func kinds() throws {
        for (index, value) in ConformanceSamples.values.enumerated() {
            let key = key("kinds", "n\(index)")
            guard limits.holds(value) else {
                expectThrows("\(value.briefDescription), which can't be stored, is refused") {
                    try provider.setStoredValue(value, at: key)
                }
                expect(try provider.storedValue(at: key) == nil, "a refused value changes nothing")
                continue
            }
            try provider.setStoredValue(value, at: key)
            expect(try provider.storedValue(at: key) == value, "\(value.briefDescription) reads back the same")
        }
        for (index, value) in ConformanceSamples.values.enumerated() where limits.holds(value) {
            let key = key("kinds", "n\(index)")
            expect(try provider.storedValue(at: key) == value, "\(value.briefDescription) stays beside others")
            try provider.setStoredValue(nil, at: key)
            expect(try provider.storedValue(at: key) == nil, "\(value.briefDescription) is gone once removed")
        }
    }

    func brokenness() throws {
        for (index, value) in samples.enumerated() {
            let key = key("b\(index)")
            try provider.setStoredValue(value, at: key)
            expectThrows("a value of the wrong type is broken, not absent") {
                try provider.value(of: Unreadable.self, at: key)
            }
            expect(try provider.storedValue(at: key) == value, "reading a broken value doesn't change it")
            expect(
                provider.lastGoodValue(at: key) == nil as Unreadable?,
                "a broken value has no last good value if there never was one")
        }
    }

    func typedCalls() throws {
        for (index, value) in samples.enumerated() {
            let key = key("typed", "n\(index)")
            expect(try provider.setValue(value, forFlag: key), "setting a value reports success")
            expect(
                try provider.value(of: FlagValue.self, at: key) == value,
                "a value that was set can be read as its type")
            expect(
                try provider.value(of: FlagValue?.self, at: key) == value,
                "a value that was set can be read as an optional")
            expect(try provider.setValue(nil as FlagValue?, forFlag: key), "removing a value reports success")
            expect(try provider.storedValue(at: key) == nil, "setting nil removes the value")
            try provider.setValue(value, forFlag: key)
            expect(try provider.setValue(FlagValue?.none, forFlag: key), "an optional nil is accepted")
            try provider.setValue(value, forFlag: key)
            try provider.resetValue(at: key)
            expect(try provider.storedValue(at: key) == nil, "a reset removes the value")
        }
    }

    func nesting() throws {
        let keys = [key("top"), key("g", "x"), key("g", "y"), key("g", "h", "x"), key("g", "h", "i", "x")]
        for (index, key) in keys.enumerated() { try provider.setStoredValue(samples[index % samples.count], at: key) }
        for (index, key) in keys.enumerated() {
            expect(try provider.storedValue(at: key) == samples[index % samples.count], "\(key.text) has its own value")
        }
        if !limits.hasFlatKeys {
            guard case .dictionary(let group)? = try provider.storedValue(at: key("g", "h")) else {
                return expect(false, "a group reads as a dictionary")
            }
            expect(Set(group.keys) == ["x", "i"], "a group has the values set below it")
        }
        try provider.setStoredValue(nil, at: key("g", "h", "x"))
        expect(try provider.storedValue(at: key("g", "h", "x")) == nil, "one value of a group is removed")
        expect(try provider.storedValue(at: key("g", "h", "i", "x")) != nil, "other values of the group stay")
        expect(try provider.storedValue(at: key("g", "x")) == samples[1 % samples.count], "values above it stay")
    }

    func oddComponents() throws {
        let components = ConformanceSamples.components
        for (index, component) in components.enumerated() {
            let value = samples[index % samples.count]
            try provider.setStoredValue(value, at: key("odd", component, "x"))
            try provider.setStoredValue(value, at: key(component))
        }
        for (index, component) in components.enumerated() {
            let value = samples[index % samples.count]
            let shown = key(component).text.debugDescription
            expect(try provider.storedValue(at: key("odd", component, "x")) == value, "\(shown) is a group of its own")
            expect(try provider.storedValue(at: key(component)) == value, "\(shown) is a key of its own")
        }
        if !limits.hasFlatKeys {
            expect(try provider.storedValue(at: key("odd", "a", "b", "x")) == nil, "no component is ever split")
        }
    }

    func replacing() throws {
        let key = key("g", "replaced")
        for value in samples + samples.reversed() {
            try provider.setStoredValue(value, at: key)
            expect(try provider.storedValue(at: key) == value, "a value of another kind replaces the old one")
        }
    }

    func blocking() throws {
        for (index, value) in samples.enumerated() {
            if case .dictionary = value { continue }
            let (scalar, deeper) = (key("s\(index)"), key("s\(index)", "deep", "er"))
            try provider.setStoredValue(value, at: scalar)
            do {
                try provider.setStoredValue(value, at: deeper)
                expect(limits.hasFlatKeys, "a key path below a \(value.kind) is refused")
                expect(try provider.storedValue(at: deeper) == value, "a value that was accepted is stored")
            } catch {
                let found = Result { try provider.storedValue(at: deeper) }
                if case .success(.some) = found { expect(false, "a value that was refused is not stored") }
            }
            expect(try provider.storedValue(at: scalar) == value, "a \(value.kind) is never lost to a deeper key path")
        }
    }

    func expect(_ isMet: Bool, _ rule: String) {
        #expect(isMet, Comment(rawValue: "\(provider.name): \(rule)"), sourceLocation: location)
    }

    func expectThrows(_ rule: String, _ action: () throws -> Any?) {
        #expect(throws: (any Error).self, "\(provider.name): \(rule)", sourceLocation: location) { _ = try action() }
    }

    func key(_ components: String...) -> FlagKeyPath { FlagKeyPath(components: components) }

    /// One value of each kind that the provider can hold.
    var samples: [FlagValue] {
        let candidates = ConformanceSamples.values.filter(limits.holds)
        return Dictionary(grouping: candidates, by: \.kind).sorted { $0.key < $1.key }.compactMap(\.value.last)
    }
}

/// A type without any valid stored value.
private struct Unreadable: FlagProtocol, Equatable {
    init?(encoded value: FlagValue) { nil }

    func encoded() throws(FlagValueError) -> FlagValue { throw FlagValueError("the value has no stored form") }
}
