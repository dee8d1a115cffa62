import FeatureFlags
import FeatureFlagsRemote
import FeatureFlagsXML
import FlagChanges

/// What flags are in etcd: a text of JSON for each key, less everything about internal flags.
struct PublishedFlags {
    let layout: EtcdLayout
    let catalogue: FlagCatalogue

    /// The names of the providers, in order of precedence; other environments, which a read doesn't ask, stay apart.
    private var providerNames: [String] { catalogue.providers.filter(\.isAsked).map(\.name) }

    /// All keys but that of the row.
    var all: [String: String] {
        var texts = [
            layout.providers: FlagJSON.line(.array(providerNames.map { .scalar(.string($0)) }))
        ]
        for entry in catalogue.entries {
            for case (let key, let text?) in changes(at: entry.key) { texts[key] = text }
        }
        return texts
    }

    /// The keys of one flag; `nil` for those that are not there.
    ///
    /// - Returns: What the keys hold; none of them anything where there is no such flag to be seen.
    func changes(at key: FlagKeyPath) -> [String: String?] {
        let entry = catalogue[key].flatMap { $0.isOnlyElsewhere ? nil : $0 }
        var changes: [String: String?] = [layout.definition(of: key): entry.map(Self.definition)]
        for provider in providerNames {
            let reading = entry?.resolution.readings.first { $0.provider == provider }
            let stored = reading?.lastGood ?? reading?.answer.stored
            changes[layout.value(of: provider, at: key)] = .some(
                stored.map { FlagJSON.line(FlagJSON.json($0, of: entry?.definition.type)) })
        }
        return changes
    }

    /// The key that a row of the history changes; none for one that is not about a value of a flag that may be seen, unless it
    /// takes the value away.
    ///
    /// - Parameter value: What the provider holds after it.
    func change(at key: FlagKeyPath, in provider: String, to value: FlagValue?) -> [String: String?] {
        guard providerNames.contains(provider) else { return [:] }
        let name = layout.value(of: provider, at: key)
        // A flag that nothing defines is none any more once its last value is gone.
        guard let entry = catalogue[key] else { return value == nil ? [name: nil] : [:] }
        // What is no value of the flag leaves the last good one in force.
        if let value, case .failure = Result(catching: { try entry.definition.interpret(value) }) { return [:] }
        return [name: value.map { FlagJSON.line(FlagJSON.json($0, of: entry.definition.type)) }]
    }

    /// Whether a change at a key path can only be told by a look at all flags: it is that of a group, or within a flag.
    func reachesOthers(at key: FlagKeyPath) -> Bool {
        catalogue[key] == nil && (catalogue.holdsFlag(in: key) || key.ancestors.contains { catalogue[$0] != nil })
    }

    private static func definition(_ entry: FlagEntry) -> String {
        FlagJSON.line(FlagJSON.json(manifest: .dictionary(entry.definition.manifestEntry)))
    }
}

/// Why the flags can't be published now.
struct PublishingError: Error, Hashable, CustomStringConvertible {
    /// Whether etcd holds something else than was thought, so that all is to be looked at anew, at once.
    let isRace: Bool
    let description: String

    private init(isRace: Bool = false, _ description: String) {
        (self.isRace, self.description) = (isRace, description)
    }

    /// Another program has published meanwhile.
    static func race(at address: EtcdAddress) -> PublishingError {
        PublishingError(isRace: true, "another program publishes at \(address) too; what is there is looked at anew")
    }

    /// What was published is there no more.
    static func emptied(_ layout: EtcdLayout) -> PublishingError {
        PublishingError(
            isRace: true,
            "etcd holds no \(layout.row) any more: it is empty, or the key was deleted; all flags are published again")
    }

    /// What is published belongs to another history.
    static func foreign(_ address: EtcdAddress, row: Int64, _ layout: EtcdLayout) -> PublishingError {
        PublishingError(
            "what is published at \(address) is of another history than this one (row \(row)), or that row was pruned here, so nothing "
                + "is published; "
                + "publish at another prefix, or have this history take the place of that one: etcdctl del \(layout.row)"
        )
    }

    /// The flags can't be told now.
    static let unreadable = PublishingError(
        "nothing is published while a file can't be read, or a change waits to be cleared up")

    /// A flag that etcd does not take.
    ///
    /// - Parameter row: The last row of the history that changed it; `nil` where none did.
    static func tooLarge(_ row: Int64?) -> PublishingError {
        PublishingError(
            "\(row.map { "the flag that row \($0) of the history changed" } ?? "a flag") holds more than etcd takes in one request "
                + "(1.5 MiB); nothing more is published until its value is made smaller, from when publishing goes on by "
                + "itself, or etcd is started with a greater --max-request-bytes")
    }
}
