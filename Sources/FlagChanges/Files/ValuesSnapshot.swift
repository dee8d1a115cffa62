import FeatureFlags
import FeatureFlagsXML

/// What one provider's file held when it was last read, as a provider to resolve flags against.
struct ValuesSnapshot: FlagsProvider {
    let name: String
    let shortDescription: String
    let isWritable: Bool
    let content: Result<ProviderContents, FileProblem>
    /// The flags that are defined to hold a dictionary; at any other key, a dictionary is a group.
    let dictionaryKeys: Set<FlagKeyPath>
    /// What can't be read, by flag.
    var broken: [FlagKeyPath: FlagValueError] = [:]
    /// Whether the values are those of a file.
    var isFile = true
    /// The flags that the app does not read from it: whatever it holds for them counts for nothing.
    var unreadFlags: Set<FlagKeyPath> = []

    /// Why the file can't be read now; `nil` where it can.
    var problem: String? {
        if case .failure(let fileProblem) = content { fileProblem.outline } else { nil }
    }

    /// Whether the provider holds just the same, where no file holds it.
    func isSame(as other: ValuesSnapshot) -> Bool {
        guard case .success(.tree(let root)) = content, case .success(.tree(let otherRoot)) = other.content else {
            return false
        }
        return broken == other.broken && root == otherRoot
    }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if unreadFlags.contains(key) { return nil }
        if let problem = broken[key] { throw problem }
        return switch content {
        case .success(let held): try held.value(at: key, dictionaryKeys: dictionaryKeys)
        case .failure(let fileProblem): throw FlagValueError(fileProblem.description)
        }
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueError("\(key) can't be changed in a snapshot of \(name)")
    }
}

extension PropertyListDocument {
    /// The value of a flag, which a group is not: what is in it can't be told, so it is neither shown nor replaced.
    func value(at key: FlagKeyPath, dictionaryKeys: Set<FlagKeyPath>) throws(FlagValueError) -> FlagValue? {
        let value = try value(at: key)
        if case .dictionary = value, !dictionaryKeys.contains(key) {
            let place = location(at: key).map { " (line \($0.line))" } ?? ""
            throw FlagValueError("\(key) is a group in the file\(place), not one value; correct the file")
        }
        return value
    }
}
