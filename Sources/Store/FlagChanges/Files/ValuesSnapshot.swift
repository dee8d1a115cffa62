import FeatureFlags
import FeatureFlagsXML

struct ValuesSnapshot: FlagsProvider {
    let name: String
    let shortDescription: String
    let isWritable: Bool
    /// True if its values are overrides: the provider takes changes, even if the service is read-only.
    let areOverrides: Bool
    let content: Result<ProviderContents, FileProblem>
    let dictionaryKeys: Set<FlagKeyPath>
    var broken: [FlagKeyPath: FlagValueError] = [:]
    var isFile = true
    /// False for another environment, which reads ignore.
    var isAsked = true
    /// The app in another process that has the provider.
    var connectedApp: String?
    var lastSound: ProviderContents?
    var lastGood: [FlagKeyPath: FlagValue] = [:]
    var unreadFlags: Set<FlagKeyPath> = []

    var problem: String? {
        if case .failure(let fileProblem) = content { fileProblem.outline } else { nil }
    }

    var asLastRead: ValuesSnapshot {
        guard case .failure = content, let lastSound else { return self }
        var snapshot = ValuesSnapshot(
            name: name, shortDescription: shortDescription, isWritable: isWritable, areOverrides: areOverrides,
            content: .success(lastSound), dictionaryKeys: dictionaryKeys)
        (snapshot.broken, snapshot.lastGood) = (broken, lastGood)
        (snapshot.isAsked, snapshot.unreadFlags) = (isAsked, unreadFlags)
        return snapshot
    }

    /// Compares providers without files.
    func isSame(as other: ValuesSnapshot) -> Bool {
        guard case .success(.tree(let root)) = content, case .success(.tree(let otherRoot)) = other.content else {
            return false
        }
        return shortDescription == other.shortDescription && isWritable == other.isWritable
            && areOverrides == other.areOverrides && broken == other.broken && lastGood == other.lastGood
            && root == otherRoot
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

    func isOverride(at key: FlagKeyPath) -> Bool { areOverrides }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueError("can't change \(key) in a snapshot of \(name)")
    }
}

extension PropertyListDocument {
    /// Returns a value; throws for a group, whose contents may be hidden.
    func value(at key: FlagKeyPath, dictionaryKeys: Set<FlagKeyPath>) throws(FlagValueError) -> FlagValue? {
        let value = try value(at: key)
        if case .dictionary = value, !dictionaryKeys.contains(key) {
            let place = location(at: key).map { " (line \($0.line))" } ?? ""
            throw FlagValueError("\(key) is a group in the file\(place), not a value. Fix the file")
        }
        return value
    }
}

extension FlagDefinition {
    func resolve(in snapshots: [ValuesSnapshot], after previous: FlagResolution? = nil) -> FlagResolution {
        resolve(in: snapshots, after: previous) { snapshots[$0].isAsked }
    }
}
