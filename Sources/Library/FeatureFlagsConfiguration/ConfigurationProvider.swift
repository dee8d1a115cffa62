#if Configuration
    import Configuration
    import FeatureFlags
    import Foundation

    /// Any provider of swift-configuration as a provider of flags, read-only: environment variables, JSON or YAML files, command line
    /// arguments, a remote source.
    ///
    /// ```swift
    /// let deployment = ConfigurationProvider(EnvironmentVariablesProvider(), prefix: ["shop"])
    /// let manager = FlagsManager(providers: [deployment, LocalProvider(localURL: file)])
    /// ```
    ///
    /// It is asked at each read, so a read returns what it holds now; it tells nothing of its changes, so an observer of a flag hears
    /// of them when another provider changes.
    public final class ConfigurationProvider: FlagsProvider {
        /// The name that tells this provider from the others.
        public let name: String
        private let provider: any ConfigProvider
        private let prefix: [String]

        /// Takes a provider.
        ///
        /// - Parameters:
        ///   - provider: The provider of configuration.
        ///   - prefix: What comes before a flag's key path in a configuration key.
        ///   - name: The name that tells it from the others; `nil` for that of `provider`.
        public init(_ provider: any ConfigProvider, prefix: [String] = [], name: String? = nil) {
            self.provider = provider
            self.prefix = prefix
            self.name = name ?? provider.providerName
        }

        /// Configuration, and which.
        public var shortDescription: String? { "The configuration of \(provider.providerName)" }

        /// Never: configuration is set where it comes from.
        public var isWritable: Bool { false }

        /// The value in the first form that the provider has it in, a text first.
        ///
        /// - Parameter key: The key path of the flag.
        /// - Returns: `nil` where it has none.
        /// - Throws: Why it can't be read in any form.
        public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
            try firstReadable(at: key, in: Self.allTypes) { (content) throws(FlagValueError) in content.flagValue }
        }

        /// The value, asked for as the flag's type.
        ///
        /// - Parameters:
        ///   - type: The type of the flag's value.
        ///   - key: The key path of the flag.
        /// - Returns: `nil` where there is none.
        /// - Throws: Why the value can't be read, or what was found and what is wanted.
        public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
            -> Value?
        {
            try firstReadable(at: key, in: Self.types(of: Value.flagType)) { (content) throws(FlagValueError) in
                let stored = try Self.stored(content, as: Value.flagType)
                guard let value = Value(encoded: stored) else {
                    throw FlagValueError("\(stored.briefDescription) is held, wanted \(Value.flagExpectation)")
                }
                return value
            }
        }

        /// Refuses.
        ///
        /// - Parameters:
        ///   - value: Any value, or `nil`.
        ///   - key: Any key path.
        /// - Throws: That the provider is read-only.
        public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try checkWritable() }

        private static let arrays: [ConfigType] = [.intArray, .doubleArray, .boolArray, .stringArray, .byteChunkArray]
        private static let allTypes: [ConfigType] = [.string, .bool, .int, .double, .bytes] + arrays

        /// What a value of a flag's type may be asked for as, the likeliest first.
        private static func types(of type: FlagType?) -> [ConfigType] {
            switch type {
            case .bool: [.bool]
            case .integer: [.int]
            case .double: [.double, .int]
            case .string, .url, .date: [.string]
            case .choice: [.string, .int]
            case .data: [.bytes]
            case .array: arrays + [.string]
            case .dictionary, .json: [.string]
            case nil: allTypes
            }
        }

        /// A content as a flag of the type stores it: a text is read as JSON where the flag holds more than one value.
        private static func stored(_ content: ConfigContent, as type: FlagType?) throws(FlagValueError) -> FlagValue {
            guard case .string(let text) = content else { return content.flagValue }
            return switch type {
            case .array, .dictionary: try FlagJSON.value(text)
            case .json: .data(Data(text.utf8))
            default: .string(text)
            }
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
                    problem = problem ?? FlagValueError("\(name) has it in another form: \(error)")
                }
            }
            if let problem { throw problem }
            return nil
        }
    }
#endif
