import DurableFiles
import FeatureFlags
import FeatureFlagsRemote
import FeatureFlagsXML
import FlagChanges

/// The flags' form in etcd: JSON text for each key, without internal flags.
struct PublishedFlags {
    let layout: EtcdLayout
    let catalogue: FlagCatalogue

    /// In order of precedence, without other environments, which a read doesn't ask.
    private var providerNames: [String] { catalogue.providers.filter(\.isAsked).map(\.name) }

    var all: [String: String] {
        var texts = [
            layout.providers: FlagJSON.line(.array(providerNames.map { .scalar(.string($0)) }))
        ]
        for entry in catalogue.entries {
            for case (let key, let text?) in changes(at: entry.key) { texts[key] = text }
        }
        return texts
    }

    /// Returns one flag's keys and texts; `nil` deletes a key, and so all of a flag that is not visible.
    func changes(at key: FlagKeyPath) -> [String: String?] {
        let entry = catalogue[key].flatMap { $0.isOnlyElsewhere ? nil : $0 }
        var changes: [String: String?] = [layout.definition(of: key): entry.map(Self.definition)]
        for provider in providerNames {
            let stored = entry?.resolution[lastGoodIn: provider] ?? entry?.resolution[provider]?.stored
            // The text of a broken value could be a value of another type.
            let readable = stored?.brokenPart == nil ? stored : nil
            changes[layout.value(of: provider, at: key)] = .some(
                readable.map { FlagJSON.line(FlagJSON.json($0, of: entry?.definition.type)) })
        }
        return changes
    }

    /// Returns a row's change; empty unless it sets a visible flag's value or removes a value.
    func change(at key: FlagKeyPath, in provider: String, to value: FlagValue?) -> [String: String?] {
        guard providerNames.contains(provider) else { return [:] }
        let name = layout.value(of: provider, at: key)
        // An undefined flag disappears with its last value.
        guard let entry = catalogue[key] else { return value == nil ? [name: nil] : [:] }
        // The last good value outlives an invalid one, and one that is gone because its group is.
        if value == nil, entry.resolution[lastGoodIn: provider] != nil { return [:] }
        if let value, case .failure = Result(catching: { try entry.definition.interpret(value) }) { return [:] }
        return [name: value.map { FlagJSON.line(FlagJSON.json($0, of: entry.definition.type)) }]
    }

    /// Returns `true` if a change affects other flags, because it is a group's or within a flag.
    func reachesOthers(at key: FlagKeyPath) -> Bool {
        catalogue[key] == nil && (catalogue.holdsFlag(in: key) || key.ancestors.contains { catalogue[$0] != nil })
    }

    private static func definition(_ entry: FlagEntry) -> String {
        FlagJSON.line(FlagJSON.json(manifest: .dictionary(entry.definition.manifestEntry)))
    }
}

extension FlagResolution {
    /// The last good value, in use while the current one is broken.
    fileprivate subscript(lastGoodIn provider: String) -> FlagValue? {
        readings.first { $0.provider == provider }?.lastGood
    }
}

extension EtcdError {
    static func race(at address: EtcdAddress) -> EtcdError {
        .raced("another program also publishes to \(address); rereading the published flags")
    }

    static func emptied(_ layout: EtcdLayout) -> EtcdError {
        .raced("etcd has no key \(layout.row), so all flags are published again")
    }
}

extension PlainError {
    static func foreign(_ address: EtcdAddress, row: Int64, _ layout: EtcdLayout) -> PlainError {
        PlainError(
            "the flags published at \(address) come from a different history (row \(row)), or this row was pruned "
                + "here, so publishing stopped; use another prefix, or replace the published flags: etcdctl del "
                + "\(layout.row)"
        )
    }

    static let unreadable = PlainError("publishing is paused because a file can't be read or a change is pending")

    static func tooLarge(_ row: Int64?) -> PlainError {
        PlainError(
            "\(row.map { "the flag that row \($0) of the history changed" } ?? "a flag") is larger than an etcd "
                + "request can be (1.5 MiB by default); publishing is paused until the value is smaller, or until etcd "
                + "runs with a larger --max-request-bytes")
    }
}
