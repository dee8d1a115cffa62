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
    /// Whether a read asks it; otherwise it holds the values of another environment.
    var isAsked = true
    /// What its file held when it could last be read, where it can't be now.
    var lastSound: ProviderContents?
    /// The last good values, as they were stored, of flags whose values are broken.
    var lastGood: [FlagKeyPath: FlagValue] = [:]
    /// The flags that the app does not read from it: whatever it holds for them counts for nothing.
    var unreadFlags: Set<FlagKeyPath> = []

    /// Why the file can't be read now; `nil` where it can.
    var problem: String? {
        if case .failure(let fileProblem) = content { fileProblem.outline } else { nil }
    }

    /// The provider as it was when its file could last be read; itself where that is now, or was never.
    var asLastRead: ValuesSnapshot {
        guard case .failure = content, let lastSound else { return self }
        var snapshot = ValuesSnapshot(
            name: name, shortDescription: shortDescription, isWritable: isWritable, content: .success(lastSound),
            dictionaryKeys: dictionaryKeys)
        (snapshot.broken, snapshot.lastGood) = (broken, lastGood)
        (snapshot.isAsked, snapshot.unreadFlags) = (isAsked, unreadFlags)
        return snapshot
    }

    /// Whether the provider holds just the same, where no file holds it.
    func isSame(as other: ValuesSnapshot) -> Bool {
        guard case .success(.tree(let root)) = content, case .success(.tree(let otherRoot)) = other.content else {
            return false
        }
        return broken == other.broken && lastGood == other.lastGood && root == otherRoot
    }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if unreadFlags.contains(key) { return nil }
        if let problem = broken[key] { throw problem }
        return switch content {
        case .success(let held): try held.value(at: key, dictionaryKeys: dictionaryKeys)
        case .failure(let fileProblem): throw FlagValueError(fileProblem.description)
        }
    }

    func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        guard !unreadFlags.contains(key), case .success(let contents) = asLastRead.content else { return [] }
        let good = [lastGood[key]].compactMap(\.self)
        do throws(FlagValueError) {
            if let last = try contents.value(at: key, dictionaryKeys: dictionaryKeys) { return [last] + good }
            return broken[key] == nil ? [] : good
        } catch {
            return good
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

extension FlagDefinition {
    /// What the flag comes to in providers as they were read, of which some may be other environments'.
    ///
    /// - Parameter previous: What this definition came to before; `nil` where that is not known.
    func resolve(in snapshots: [ValuesSnapshot], after previous: FlagResolution? = nil) -> FlagResolution {
        resolve(in: snapshots, after: previous) { snapshots[$0].isAsked }
    }
}
