import FeatureFlags
import FeatureFlagsXML

struct WantedValue {
    let key: FlagKeyPath
    let type: FlagType
    let place: ValuesPlace
    let provider: String
    /// The file after the preceding changes.
    let file: EditedFile<PropertyListDocument>
    let before: FlagValue?
    let after: FlagValue?
    var settled: FlagPlace?

    var isNew: Bool { before != after || settled != nil }
}

/// Successive changes that don't affect each other's checks.
struct ValueRun {
    /// The changes that may be affected.
    enum Reach {
        case file(String)
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
