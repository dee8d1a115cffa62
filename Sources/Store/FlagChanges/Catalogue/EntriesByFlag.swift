import FeatureFlags
import FeatureFlagsXML

struct EntriesByFlag {
    enum Subject: Hashable {
        case flag(FlagKeyPath)
        case group(FlagKeyPath)
        /// Any other entry of the manifest's root dictionary.
        case manifest(String)

        var key: FlagKeyPath {
            switch self {
            case .flag(let key), .group(let key): key
            case .manifest(let name): FlagKeyPath(components: [name])
            }
        }

        var prefix: String {
            switch self {
            case .flag: ""
            case .group: "the definition of the group, "
            case .manifest: "an entry of the manifest itself, "
            }
        }
    }

    struct Change {
        let subject: Subject
        let type: FlagType?
        let before: FlagValue?
        let after: FlagValue?
    }

    private var values: [Subject: FlagValue] = [:]
    private var types: [FlagKeyPath: FlagType] = [:]

    init() {}

    init(_ document: PropertyListDocument, _ manifest: FlagManifest?) {
        types = Self.types(manifest)
        for (key, value) in ValueTree(.file(document), isDefined: { manifest?.content.defines($0) == true }).values {
            values[.flag(key)] = value
        }
    }

    init(_ manifest: FlagManifest) {
        types = Self.types(manifest)
        for (key, entry) in manifest.storedEntries { values[.flag(key)] = entry }
        for (key, entry) in manifest.storedCollections { values[.group(key)] = entry }
        for (name, entry) in manifest.storedRootEntries { values[.manifest(name)] = entry }
    }

    /// Returns the differences: removals, then the rest, each sorted by key.
    ///
    /// In this order, each change and its reversal is valid, even if a group replaces a value. Lazy, since there may be
    /// hundreds of thousands.
    func changes(since old: EntriesByFlag) -> LazyMapCollection<[Subject], Change> {
        let gone = old.values.keys.filter { values[$0] == nil }
        let held = values.keys.filter { values[$0] != old.values[$0] }
        let subjects = [gone, held].flatMap { $0.sorted { $0.key < $1.key } }
        return subjects.lazy.map { subject in
            let (before, after) = (old.values[subject], values[subject])
            return Change(
                subject: subject, type: type(of: subject, after ?? before, old), before: before, after: after)
        }
    }

    private func type(of subject: Subject, _ value: FlagValue?, _ old: EntriesByFlag) -> FlagType? {
        guard case .flag(let key) = subject else { return nil }
        return types[key] ?? old.types[key] ?? value.map(FlagType.init(inferredFrom:))
    }

    private static func types(_ manifest: FlagManifest?) -> [FlagKeyPath: FlagType] {
        Dictionary(
            manifest?.content.definitions.map { ($0.key, $0.type) } ?? [], uniquingKeysWith: { first, _ in first })
    }
}
