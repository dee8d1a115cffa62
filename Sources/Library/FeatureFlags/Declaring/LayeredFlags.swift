/// A collection of flags read from four levels, as SwiftFeatureConfigs has them: an override, values in memory, values that
/// were persisted, and the default.
///
/// ```swift
/// let configs = LayeredFlags(ShopFlags.self, override: local, persisted: UserDefaultsProvider())
/// configs.loadInMemoryFeatures(["paymentRetries": 15])
/// try configs.persist()
/// print(configs.flags.paymentRetries)
/// ```
///
/// A value of the wrong type is reported, and the next level is asked. Key paths are the properties' names unless the key
/// configuration says otherwise.
public final class LayeredFlags<Collection: FlagCollectionProtocol>: Sendable {
    /// The collection, to read.
    public let flags: FlagsLoader<Collection>
    /// The second level.
    public let inMemory: InMemoryProvider
    /// The third level.
    public let persisted: any FlagsProvider

    /// Loads a collection.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - override: The first level, such as a property list file that only developers have; `nil` for none. It is never
    ///     written.
    ///   - persisted: The third level, which is there when the process starts again.
    ///   - keyConfiguration: How key paths are made from the names of properties.
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

    /// Replaces all values in memory with what Foundation reads of a property list or of JSON, or with Swift values.
    ///
    /// - Parameter values: Booleans, numbers, texts, dates, data, URLs, other ``FlagProtocol`` values, and arrays and
    ///   dictionaries of these, nested by key path.
    /// - Throws: The place of the first entry that is none of these; the values that were held stay.
    @_disfavoredOverload
    public func loadInMemoryFeatures(_ values: [String: Any]) throws(FlagValueError) {
        inMemory.replaceValues(with: try FlagValue.entries(foundation: values))
    }

    /// Copies the flags' values in memory to the persisted level, but those of flags that are not persistable
    /// (``FlagMetadata/isPersistable``).
    ///
    /// - Throws: The first problem; what was copied before it stays.
    public func persist() throws {
        for flag in flags.featureFlags where flag.metadata.isPersistable {
            guard let value = try inMemory.storedValue(at: flag.keyPath) else { continue }
            try persisted.setStoredValue(value, at: flag.keyPath)
        }
    }

    /// Removes all values in memory.
    public func clearInMemoryConfigs() {
        inMemory.replaceValues(with: [:])
    }

    /// Removes the flags' values from the persisted level.
    ///
    /// - Throws: The first problem; what was removed before it stays so.
    public func clearPersistedConfigs() throws {
        for flag in flags.featureFlags { try persisted.resetValueForFlag(key: flag.keyPath) }
    }
}
