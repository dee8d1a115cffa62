import FeatureFlags
import FeatureFlagsXML

/// A value that a change asks for, checked.
struct WantedValue {
    let key: FlagKeyPath
    let type: FlagType
    /// The place of the file among the providers.
    let place: Int
    let provider: String
    /// The file as the changes before leave it.
    let file: EditedFile<PropertyListDocument>
    let before: FlagValue?
    let after: FlagValue?

    /// Whether the file holds something else now.
    var isNew: Bool { before != after }
}

/// Changes of values, one behind the other in a request, of which none touches what another is checked against.
struct ValueRun {
    /// What another change would have to be about to be touched.
    enum Reach {
        /// The same provider.
        case file(String)
        /// Whatever provider.
        case everyFile
    }

    struct Member {
        let change: Change
        let wanted: Result<WantedValue, ChangeError>
    }

    /// Key paths, to find out whether one of them is at, around or inside another.
    private struct Keys {
        private var keys: Set<FlagKeyPath> = []
        private var groups: Set<FlagKeyPath> = []

        mutating func insert(_ key: FlagKeyPath) {
            keys.insert(key)
            groups.formUnion(key.ancestors)
        }

        func touches(_ key: FlagKeyPath) -> Bool {
            keys.contains(key) || groups.contains(key) || key.ancestors.contains(where: keys.contains)
        }
    }

    private(set) var members: [Member] = []
    private var all = Keys()
    private var ofFile: [String: Keys] = [:]
    private var ofEveryFile = Keys()

    func touches(_ key: FlagKeyPath, _ reach: Reach) -> Bool {
        switch reach {
        case .file(let name): ofFile[name]?.touches(key) ?? false || ofEveryFile.touches(key)
        case .everyFile: all.touches(key)
        }
    }

    mutating func append(_ change: Change, _ reach: Reach, _ wanted: Result<WantedValue, ChangeError>) {
        members.append(Member(change: change, wanted: wanted))
        all.insert(change.key)
        switch reach {
        case .file(let name): ofFile[name, default: Keys()].insert(change.key)
        case .everyFile: ofEveryFile.insert(change.key)
        }
    }
}
