import FeatureFlags
import FlagChanges
import Foundation

/// The flags with all that pages also depend on: the clock, the state of the files and the viewer.
struct CatalogueView: Sendable {
    let catalogue: FlagCatalogue
    let status: ServiceStatus
    let now: Date
    var visitor: Visitor?
    /// The last history row that the flags reflect.
    var lastRow: Int64?
    /// Fingerprint of the notices on each page, for the stream of events.
    var mark: StatusFingerprint?
    var pendingRestart = PendingRestart.none
    /// Overridden flags, with the last change if known.
    var unchanged: [FlagKeyPath: Date?] = [:]
    var conflicts: [FileConflict] = []
    /// Key paths given by a renaming, including those of deleted flags.
    var renamed: Set<FlagKeyPath> = []
    var note: FlashNote?
    var asked: AskedPage?
    var settings = ViewerSettings()
    var memory = ViewerMemory()
    var list = ReturnToList()
    var environments: EnvironmentCheck?

    var knownTraits = KnownTraits()

    var traits: CatalogueTraits { knownTraits.traits(of: catalogue.entries) }

    /// Returns a flag's broken readings by provider.
    ///
    /// An unreadable file is no fault of the flag and has its own notice.
    func problems(of entry: FlagEntry) -> [String] {
        entry.resolution.asked.compactMap { reading in
            guard case .broken(let problem, let stored) = reading.answer,
                !status.unreadable.contains(reading.provider)
            else { return nil }
            return problem.parts(of: stored).map { "\(reading.provider) has \($0); expected \($1)" }
                ?? "\(reading.provider): \(problem)"
        }
    }

    func isBroken(_ entry: FlagEntry) -> Bool {
        entry.resolution.isBroken && !problems(of: entry).isEmpty
    }

    /// May include deleted flags.
    func listed(_ mark: FlagFilter.Mark) -> Set<FlagKeyPath> {
        switch mark {
        case .waiting: Set(pendingRestart.waits.map(\.key))
        case .edited: memory.editedOutside
        case .favourite: Set(memory.favourites.keys)
        case .renamed: renamed
        case .broken, .locked, .restart, .expired, .expiring, .stale, .retired, .undefined, .differsInApp: []
        }
    }

    /// The names of connected apps, which are also those of the providers of their effective values.
    var apps: [String] {
        catalogue.providers.compactMap { $0.connectedApp == $0.name ? $0.name : nil }
    }

    /// The values that connected apps read in place of the effective one, by the app; none without an effective value.
    func appValues(of entry: FlagEntry) -> [(app: String, value: FlagValue)] {
        let apps = apps
        guard !apps.isEmpty, let effective = entry.resolution.effectiveValue else { return [] }
        return apps.compactMap { app in
            guard let reading = entry.resolution.readings.first(where: { $0.provider == app }),
                // An app that was built with another type has a value all the same.
                let value = reading.valueInForce ?? reading.answer.stored,
                !entry.definition.meansSame(effective, value)
            else { return nil }
            return (app, value)
        }
    }

    func isExpired(_ entry: FlagEntry) -> Bool {
        entry.definition.metadata.expires.map { $0 < now } ?? false
    }

    /// Seconds before expiry from which a flag counts as expiring: 30 days.
    private static let soon: TimeInterval = 30 * 86_400

    func isExpiring(_ entry: FlagEntry) -> Bool {
        entry.definition.metadata.expires.map { $0 >= now && $0 < now.addingTimeInterval(Self.soon) } ?? false
    }

    /// The reason why the flag looks forgotten.
    func staleness(of entry: FlagEntry) -> String? {
        if isExpired(entry) { return "This flag has expired. Remove it." }
        guard let last = unchanged[entry.key] else { return nil }
        let time = last.map { "last changed \(TimeText($0).text)" } ?? "not changed since the history began"
        return "Overridden and \(time), at least 180 days ago. Make the value the default, or remove the flag."
    }

    func isStale(_ entry: FlagEntry) -> Bool { isExpired(entry) || unchanged.index(forKey: entry.key) != nil }

    func name(of group: FlagKeyPath) -> String {
        catalogue.collections[group]?.displayName ?? group.shownName
    }
}

extension FlagKeyPath {
    /// The readable name, with a placeholder for an empty one.
    var shownName: String {
        let name = readableName
        return name.isEmpty ? "(empty name)" : name
    }

    /// The text form, with a placeholder for a single empty component.
    var shownText: String { text.isEmpty ? "\"\"" : text }
}

extension FlagDefinition {
    var shownName: String { metadata.name ?? key.shownName }
}
