import FeatureFlags
import FeatureFlagsXML

/// What a file says, by what it says it about: what an edit from outside is told by.
struct EntriesByFlag {
    /// What an entry of a file is about.
    enum Subject: Hashable {
        case flag(FlagKeyPath)
        /// The definition of a group.
        case group(FlagKeyPath)
        /// Anything else in the manifest's root dictionary.
        case manifest(String)

        /// What the history files it under.
        var key: FlagKeyPath {
            switch self {
            case .flag(let key), .group(let key): key
            case .manifest(let name): FlagKeyPath(components: [name])
            }
        }

        /// What the history says of it where it is about no flag.
        var prefix: String {
            switch self {
            case .flag: ""
            case .group: "the definition of the group, "
            case .manifest: "an entry of the manifest itself, "
            }
        }
    }

    /// An entry that differs.
    struct Change {
        let subject: Subject
        let type: FlagType?
        let before: FlagValue?
        let after: FlagValue?
    }

    private var values: [Subject: FlagValue] = [:]
    private var types: [FlagKeyPath: FlagType] = [:]

    /// What an empty file says.
    init() {}

    /// What a values file says.
    init(_ document: PropertyListDocument, _ manifest: FlagManifest?) {
        types = Self.types(manifest)
        for (key, value) in ValueTree(.file(document), isDefined: { manifest?.content.defines($0) == true }).values {
            values[.flag(key)] = value
        }
    }

    /// What a manifest says.
    init(_ manifest: FlagManifest) {
        types = Self.types(manifest)
        for (key, entry) in manifest.storedEntries { values[.flag(key)] = entry }
        for (key, entry) in manifest.storedCollections { values[.group(key)] = entry }
        for (name, entry) in manifest.storedRootEntries { values[.manifest(name)] = entry }
    }

    /// What differs from another state of the file: first what is gone, then what is there, each in the order of the keys.
    ///
    /// So each is possible after the one before it, and before the one after it on the way back, even where a group takes the
    /// place of a value or the other way round.
    ///
    /// There may be hundreds of thousands, so each is put together when it is asked for.
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
