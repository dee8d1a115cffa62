#if Configuration
    import Configuration
    import FeatureFlags
    import FeatureFlagsXML
    import Foundation

    /// The flags of a moment.
    struct FlagsConfigSnapshot: ConfigSnapshot {
        let providerName: String
        let manifest: FlagManifest?
        /// What each values file holds, in order of precedence, or why that can't be known.
        let held: [Result<[String: FlagValue], FlagValueError>]
        let keyTransform: KeyConfiguration.Transform

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            let path = FlagKeyPath(components: key.components.map(keyTransform.component))
            let definition = manifest?.definition(of: path)
            let content = try found(at: path, definition).map { value in
                do throws(FlagValueError) {
                    return try ConfigContent(value, of: definition?.type, as: type)
                } catch {
                    throw FlagValueError("\(path.text): \(error)")
                }
            }
            let isSecret = definition?.metadata.isInternal ?? false
            return LookupResult(encodedKey: path.text, value: content.map { ConfigValue($0, isSecret: isSecret) })
        }

        /// What a flag is set to, else its default; a file behind the first that holds a value is not asked.
        private func found(at path: FlagKeyPath, _ definition: FlagDefinition?) throws -> FlagValue? {
            for (place, values) in held.enumerated() {
                let file = InMemoryProvider(name: "\(place)", values: try values.get(), isWritable: false)
                guard let definition else {
                    if let value = try file.storedValue(at: path) { return value }
                    continue
                }
                switch definition.resolve(in: [file]).readings.first?.answer {
                case .absent?, nil: continue
                case .value(let value, _)?: return value
                case .broken(let problem, _)?: throw FlagValueError("\(path.text): \(problem)")
                }
            }
            return definition?.resolve(in: []).effectiveValue
        }
    }

    extension FlagsConfigSnapshot: Equatable {
        static func == (one: FlagsConfigSnapshot, other: FlagsConfigSnapshot) -> Bool {
            one.held == other.held && one.manifest?.document.source == other.manifest?.document.source
        }
    }
#endif
