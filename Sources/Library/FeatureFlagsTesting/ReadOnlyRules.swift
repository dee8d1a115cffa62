import FeatureFlags
import Testing

/// The rules for a read-only provider.
struct ReadOnlyRules<Provider: FlagsProvider> {
    let provider: Provider
    let seed: [FlagKeyPath: FlagValue]
    let location: SourceLocation

    func check() async throws {
        expect(!seed.isEmpty, "there is a value to look for")
        expect(!provider.isWritable, "a read-only provider reports that it is read-only")
        try expectSeed("has a value")
        for (key, value) in seed {
            for change in [nil, value, FlagValue.bool(true), .string("changed")] {
                #expect(
                    throws: (any Error).self, "\(provider.name): a change is refused with an error",
                    sourceLocation: location
                ) { try provider.setStoredValue(change, at: key) }
            }
            expect(try !provider.setValue("changed", forFlag: key), "RealFlags' call reports that no value was changed")
            #expect(throws: (any Error).self, "\(provider.name): a reset is refused", sourceLocation: location) {
                try provider.resetValue(at: key)
            }
        }
        let absent = FlagKeyPath(components: ["absent", "x"])
        #expect(throws: (any Error).self, "\(provider.name): a new value is refused", sourceLocation: location) {
            try provider.setStoredValue(.bool(true), at: absent)
        }
        expect(try provider.storedValue(at: absent) == nil, "a refused value is not stored")
        try expectSeed("stays as it is when changes are refused")
        try await provider.refresh()
        try expectSeed("stays after a refresh")
        try await readConcurrently()
    }

    private func readConcurrently() async throws {
        let (provider, seed) = (provider, seed)
        let wrong = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        for (key, value) in seed where try provider.storedValue(at: key) != value { return 1 }
                    }
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }
        expect(wrong == 0, "8 tasks at once read the same values")
    }

    private func expectSeed(_ rule: String) throws {
        for (key, value) in seed {
            expect(try provider.storedValue(at: key) == value, "\(key.text) \(rule)")
            if let store = provider.store {
                expect(try store.value(at: key) == value, "the store has the same values as the provider")
            }
        }
    }

    private func expect(_ isMet: Bool, _ rule: String) {
        #expect(isMet, Comment(rawValue: "\(provider.name): \(rule)"), sourceLocation: location)
    }
}
