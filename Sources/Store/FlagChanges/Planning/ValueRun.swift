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
    /// The place of the conflict that is settled by it; `nil` for none.
    var settled: FlagPlace?

    /// Whether the file is other than it is to be.
    var isNew: Bool { before != after || settled != nil }
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

    private(set) var members: [Member] = []
    private var all = TouchedKeys()
    private var ofFile: [String: TouchedKeys] = [:]
    private var ofEveryFile = TouchedKeys()

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
        case .file(let name): ofFile[name, default: TouchedKeys()].insert(change.key)
        case .everyFile: ofEveryFile.insert(change.key)
        }
    }
}
