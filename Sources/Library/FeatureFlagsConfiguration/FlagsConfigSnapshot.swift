#if Configuration
    import Configuration
    import FeatureFlags
    import FeatureFlagsXML
    import Foundation

    struct FlagsConfigSnapshot: ConfigSnapshot {
        let providerName: String
        let manifest: FlagManifest?
        /// The values files, in order of precedence.
        let files: [FileOfMoment]
        let keyTransform: KeyConfiguration.Transform

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            let path = FlagKeyPath(components: key.components.map(keyTransform.component))
            let definition = manifest?.definition(of: path)
            let reading = reading(at: path, definition)
            if reading.value == nil, let problem = reading.problem { throw problem }
            let content = try reading.value.map { value in
                do throws(FlagValueError) {
                    return try ConfigContent(value, of: definition?.type, as: type)
                } catch {
                    throw FlagValueError("\(path.text): \(error)")
                }
            }
            let isSecret = definition?.metadata.isInternal ?? false
            return LookupResult(encodedKey: path.text, value: content.map { ConfigValue($0, isSecret: isSecret) })
        }

        /// The value of a flag; and the problem, if a file that takes precedence is broken.
        typealias Reading = (value: FlagValue?, problem: FlagValueError?)

        func reading(of key: AbsoluteConfigKey) -> Reading {
            let path = FlagKeyPath(components: key.components.map(keyTransform.component))
            return reading(at: path, manifest?.definition(of: path))
        }

        /// Returns the set or last good value, else the default; files after the first with a value are not read.
        private func reading(at path: FlagKeyPath, _ definition: FlagDefinition?) -> Reading {
            guard let definition else { return undefined(at: path) }
            let resolution = definition.resolve(in: files)
            let problem = resolution.brokenSources.last.flatMap { broken in
                broken.problem.map { FlagValueError("\(path.text): \(broken.provider) is broken: \($0)") }
            }
            return (resolution.effectiveValue, problem)
        }

        /// Without a definition, any readable value is valid.
        private func undefined(at path: FlagKeyPath) -> Reading {
            var problem: FlagValueError?
            for file in files {
                do throws(FlagValueError) {
                    guard let value = try file.storedValue(at: path) else { continue }
                    if let broken = value.brokenPart { throw FlagValueError(broken.value.problem) }
                    return (value, problem)
                } catch {
                    problem = FlagValueError("\(path.text): \(file.name) is broken: \(error)")
                    if let last = file.lastValues(at: path).first(where: { $0.brokenPart == nil }) {
                        return (last, problem)
                    }
                }
            }
            return (nil, problem)
        }
    }

    /// The current and former values of a values file.
    struct FileOfMoment: FlagsProvider {
        let name: String
        let isWritable = false
        let store: FlagValueStore?
        private let values: FlagValueStore

        init(name: String, _ values: FlagValueStore) {
            (self.name, self.values, store) = (name, values, values)
        }

        func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

        func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try checkWritable() }

        func holdsSame(as other: FileOfMoment) -> Bool { values.holdsSame(as: other.values) }
    }

    extension FlagsConfigSnapshot: Equatable {
        static func == (one: FlagsConfigSnapshot, other: FlagsConfigSnapshot) -> Bool {
            one.files.count == other.files.count
                && zip(one.files, other.files).allSatisfy { $0.holdsSame(as: $1) }
                && one.manifest?.document.source == other.manifest?.document.source
        }
    }
#endif
