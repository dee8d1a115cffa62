import FeatureFlags

/// A provider of the app that the service is part of, whose values are in no file of the service: they are shown and count, and
/// the app's code alone changes them.
public struct AppProvider: Sendable {
    /// What tells it from the others.
    public let name: String
    /// Where its values come from.
    public let description: String
    /// How many of the files are asked before it.
    public let filesBefore: Int
    /// What it holds, each at a flag of its own.
    let root: FlagValue
    /// What it holds that can't be read.
    let broken: [FlagKeyPath: FlagValueError]
    /// What it held last of that which could be read.
    let lastGood: [FlagKeyPath: FlagValue]

    /// Takes what a provider holds.
    ///
    /// - Parameters:
    ///   - name: What tells it from the others.
    ///   - description: Where its values come from.
    ///   - filesBefore: How many of the files are asked before it.
    ///   - values: What it holds, by flag; why a value can't be read, where it can't.
    ///   - lastGood: The last good values of flags whose value can't be read.
    public init(
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

    /// What the provider holds, as one to resolve flags against.
    func snapshot(_ dictionaryKeys: Set<FlagKeyPath>) -> ValuesSnapshot {
        ValuesSnapshot(
            name: name, shortDescription: description, isWritable: false, content: .success(.tree(root)),
            dictionaryKeys: dictionaryKeys, broken: broken, isFile: false, lastGood: lastGood)
    }
}

extension AppProvider: Hashable {}

extension [AppProvider] {
    /// Puts these providers among those of the files, in order of precedence.
    func joined(with files: [ValuesSnapshot], _ dictionaryKeys: Set<FlagKeyPath>) -> [ValuesSnapshot] {
        (0...files.count).flatMap { place in
            filter { $0.filesBefore == place || (place == files.count && $0.filesBefore > place) }
                .map { $0.snapshot(dictionaryKeys) } + files[place...].prefix(1)
        }
    }
}
