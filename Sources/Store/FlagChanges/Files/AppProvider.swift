import FeatureFlags

/// A provider of the embedding app, which only the app's code changes.
package struct AppProvider: Sendable {
    package let name: String
    package let description: String
    /// The number of files that precede it.
    package let filesBefore: Int
    let root: FlagValue
    let broken: [FlagKeyPath: FlagValueError]
    let lastGood: [FlagKeyPath: FlagValue]

    package init(
        name: String, description: String, filesBefore: Int, values: [FlagKeyPath: Result<FlagValue, FlagValueError>],
        lastGood: [FlagKeyPath: FlagValue] = [:]
    ) {
        (self.name, self.description, self.filesBefore) = (name, description, filesBefore)
        self.lastGood = lastGood
        let store = FlagValueStore()
        var broken: [FlagKeyPath: FlagValueError] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(FlagValueError) {
                try store.set(try value.get(), at: key)
            } catch {
                broken[key] = error
            }
        }
        do throws(FlagValueError) {
            root = .dictionary(try store.values)
        } catch {
            root = .dictionary([:])
            for key in values.keys where broken[key] == nil { broken[key] = error }
        }
        self.broken = broken
    }

    func snapshot(_ dictionaryKeys: Set<FlagKeyPath>) -> ValuesSnapshot {
        ValuesSnapshot(
            name: name, shortDescription: description, isWritable: false, content: .success(.tree(root)),
            dictionaryKeys: dictionaryKeys, broken: broken, isFile: false, lastGood: lastGood)
    }
}

extension AppProvider: Hashable {}

extension [AppProvider] {
    func joined(with files: [ValuesSnapshot], _ dictionaryKeys: Set<FlagKeyPath>) -> [ValuesSnapshot] {
        (0...files.count).flatMap { place in
            filter { $0.filesBefore == place || (place == files.count && $0.filesBefore > place) }
                .map { $0.snapshot(dictionaryKeys) } + files[place...].prefix(1)
        }
    }
}
