#if Configuration
    import Configuration
    import FeatureFlags
    import Foundation

    /// A read-only provider of flags that wraps any provider of swift-configuration.
    ///
    /// The values may come from environment variables, JSON or YAML files, command-line arguments or a remote source.
    ///
    /// ```swift
    /// let deployment = ConfigurationProvider(EnvironmentVariablesProvider(), prefix: ["shop"])
    /// let manager = FlagsManager(providers: [deployment, LocalProvider(localURL: file)])
    /// ```
    ///
    /// The wrapped provider is asked at each read. Observers of a flag receive its changes only when another provider
    /// changes.
    public final class ConfigurationProvider: FlagsProvider {
        /// The provider's unique name.
        public let name: String
        private let provider: any ConfigProvider
        private let prefix: [String]

        /// Wraps a provider.
        ///
        /// - Parameters:
        ///   - provider: The provider of configuration.
        ///   - prefix: The components before a flag's key path in a configuration key.
        ///   - name: The provider's unique name; by default that of `provider`.
        public init(_ provider: any ConfigProvider, prefix: [String] = [], name: String? = nil) {
            self.provider = provider
            self.prefix = prefix
            self.name = name ?? provider.providerName
        }

        /// A description with the wrapped provider's name.
        public var shortDescription: String? { "The configuration of \(provider.providerName)" }

        /// Always `false`: configuration is set at its source.
        public var isWritable: Bool { false }

        /// Returns the value in the first form that the provider has, preferably text.
        ///
        /// - Throws: An error if it can't be read in any form.
        public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
            try firstReadable(at: key, in: Self.allTypes) { (content) throws(FlagValueError) in content.flagValue }
        }

        /// Returns the value, asked for as the flag's type.
        ///
        /// - Throws: An error if the value can't be read or is not of the type.
        public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
            -> Value?
        {
            try firstReadable(at: key, in: Self.types(of: Value.flagType)) { (content) throws(FlagValueError) in
                let stored = try Self.stored(content, as: Value.flagType)
                guard let value = Value(encoded: stored) else {
                    throw FlagValueError("found \(stored.briefDescription), expected \(Value.flagExpectation)")
                }
                return value
            }
        }

        /// Always throws, as the provider is read-only.
        public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try checkWritable() }

        private static let arrays: [ConfigType] = [.intArray, .doubleArray, .boolArray, .stringArray, .byteChunkArray]
        /// The forms of each kind of value that a type is asked as.
        private static let types: [String: [ConfigType]] = [
            "boolean": [.bool], "integer": [.int], "real": [.double], "string": [.string], "data": [.bytes],
            "array": arrays,
        ]
        private static let allTypes: [ConfigType] = [.string, .bool, .int, .double, .bytes] + arrays

        /// The forms to ask for, the likeliest first.
        private static func types(of type: FlagType?) -> [ConfigType] {
            type?.rules.askedKinds.flatMap { types[$0] ?? [] } ?? allTypes
        }

        /// Converts content for a flag's type: text is JSON for types of several values.
        private static func stored(_ content: ConfigContent, as type: FlagType?) throws(FlagValueError) -> FlagValue {
            guard case .string(let text) = content else { return content.flagValue }
            return try type?.rules.stored(text) ?? .string(text)
        }

        private func firstReadable<Value>(
            at key: FlagKeyPath, in types: [ConfigType], _ read: (ConfigContent) throws(FlagValueError) -> Value
        ) throws(FlagValueError) -> Value? {
            let key = AbsoluteConfigKey(prefix + key.components)
            var problem: FlagValueError?
            for type in types {
                do {
                    guard let found = try provider.value(forKey: key, type: type).value else { continue }
                    return try read(found.content)
                } catch let error as FlagValueError {
                    problem = problem ?? error
                } catch {
                    problem = problem ?? FlagValueError("\(name) has a value of a different type: \(error)")
                }
            }
            if let problem { throw problem }
            return nil
        }
    }
#endif
