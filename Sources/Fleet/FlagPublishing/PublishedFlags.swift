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
