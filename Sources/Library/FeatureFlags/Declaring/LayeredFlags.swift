/// A collection of flags read from four levels, as in SwiftFeatureConfigs.
///
/// The levels are an override, values in memory, persisted values, and the default. A value of the wrong type is
/// reported, and the next level is asked. By default, the key paths are the properties' names.
///
/// ```swift
/// let configs = LayeredFlags(ShopFlags.self, override: local, persisted: UserDefaultsProvider())
/// configs.loadInMemoryFeatures(["paymentRetries": 15])
/// try configs.persist()
/// print(configs.flags.paymentRetries)
/// ```
public final class LayeredFlags<Collection: FlagCollectionProtocol>: Sendable {
    /// The collection, for reads.
    public let flags: FlagsLoader<Collection>
    /// The second level: values in memory.
    public let inMemory: InMemoryProvider
    /// The third level: persisted values.
    public let persisted: any FlagsProvider

    /// Loads a collection.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - override: The first level, such as a property list file that only developers have; never written.
    ///   - persisted: The third level, which outlives the process.
    ///   - keyConfiguration: The naming rules of key paths.
    public init(
        _ collectionType: Collection.Type, override: (any FlagsProvider)? = nil, persisted: any FlagsProvider,
        keyConfiguration: KeyConfiguration = KeyConfiguration(keyTransform: .none)
    ) {
        let inMemory = InMemoryProvider()
        let levels: [any FlagsProvider] = override.map { [ReadOnlyProvider($0)] } ?? []
        flags = FlagsLoader(
            collectionType, providers: levels + [inMemory, persisted], keyConfiguration: keyConfiguration)
        self.inMemory = inMemory
        self.persisted = persisted
    }

    /// Replaces all values in memory.
    ///
    /// - Parameter values: The new values, nested by key path.
    public func loadInMemoryFeatures(_ values: [String: FlagValue]) {
        inMemory.replaceValues(with: values)
    }

    /// Replaces all values in memory with Foundation or Swift values.
    ///
    /// - Parameter values: Booleans, numbers, strings, dates, data, URLs, other ``FlagProtocol`` values, and arrays and
    ///   dictionaries of these, nested by key path.
    /// - Throws: An error with the place of the first entry of another type; the held values stay.
    @_disfavoredOverload
    public func loadInMemoryFeatures(_ values: [String: Any]) throws(FlagValueError) {
        inMemory.replaceValues(with: try FlagValue.entries(foundation: values))
    }

    /// Replaces the persisted values of all flags with those in memory.
    ///
    /// A flag without a value in memory, or that is not persistable (``FlagMetadata/isPersistable``), has none
    /// afterwards.
    ///
    /// - Throws: The first error; values replaced before it stay.
    public func persist() throws {
        for flag in flags.featureFlags {
            let value = flag.metadata.isPersistable ? try inMemory.storedValue(at: flag.keyPath) : nil
            try persisted.setStoredValue(value, at: flag.keyPath)
        }
    }

    /// Removes all values in memory.
    public func clearInMemoryConfigs() {
        inMemory.replaceValues(with: [:])
    }

    /// Removes the flags' values from the persisted level.
    ///
    /// - Throws: The first error; values removed before it stay removed.
    public func clearPersistedConfigs() throws {
        for flag in flags.featureFlags { try persisted.resetValue(at: flag.keyPath) }
    }
}
