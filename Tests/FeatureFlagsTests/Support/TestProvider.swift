import FeatureFlags

/// A writable provider of values in memory.
struct TestProvider: FlagsProvider {
    let name: String
    let isWritable: Bool
    let store: FlagValueStore?

    init(name: String = "Test", values: [String: FlagValue] = [:], isWritable: Bool = true) {
        self.name = name
        self.isWritable = isWritable
        store = FlagValueStore(values)
    }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try store?.value(at: key) }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        guard isWritable else { throw FlagValueError("the provider \(name) is read-only") }
        try store?.set(value, at: key)
    }
}
