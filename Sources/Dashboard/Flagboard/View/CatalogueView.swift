import FeatureFlags
import FlagChanges
import Foundation

/// The flags with what can be told of them only beside the clock and the state of the files.
struct CatalogueView: Sendable {
    let catalogue: FlagCatalogue
    let status: ServiceStatus
    let now: Date
    /// Who looks at them.
    var visitor: Visitor?
    /// The last row of the history that the flags are told with.
    var lastRow: Int64?
    /// What every page says at its top, for those who follow that.
    var mark: StatusFingerprint?
    /// What waits for a restart of the app.
    var pendingRestart = PendingRestart.none
    /// The overridden flags that have not been changed for long, with the time of the last change where it is known.
    var unchanged: [FlagKeyPath: Date?] = [:]
    /// The conflicts that merges left in the files.
    var conflicts: [FileConflict] = []
    /// The key paths that flags got by a renaming, those of flags that are gone among them.
    var renamed: Set<FlagKeyPath> = []
    /// What has just been done, to be told on whatever page comes next.
    var note: String?
    /// The page that is asked for; `nil` where something was sent.
    var asked: AskedPage?
    /// What the viewer has chosen about how pages look.
    var settings = ViewerSettings()
    /// What the viewer's browser remembers of the dashboard.
    var memory = ViewerMemory()
    /// The list that they are shown in.
    var list = ReturnToList()

    /// What is known of the flags that were listed last.
    var knownTraits = KnownTraits()

    /// What the flags are narrowed by.
    var traits: CatalogueTraits { knownTraits.traits(of: catalogue.entries) }

    /// What is broken of a flag, provider by provider.
    ///
    /// A file that can't be read at all is no fault of the flag and is announced on its own.
    func problems(of entry: FlagEntry) -> [String] {
        entry.resolution.asked.compactMap { reading in
            guard case .broken(let problem, _) = reading.answer, !status.unreadable.contains(reading.provider) else {
                return nil
            }
            return "\(reading.provider): \(problem)"
        }
    }

    /// Whether a provider holds something for the flag that is no value of it.
    func isBroken(_ entry: FlagEntry) -> Bool {
        entry.resolution.isBroken && !problems(of: entry).isEmpty
    }

    /// The flags that have a mark which a list of them tells, and not the flags themselves.
    ///
    /// - Returns: The flags, and perhaps some that are gone; none for any other mark.
    func listed(_ mark: FlagFilter.Mark) -> Set<FlagKeyPath> {
        switch mark {
        case .waiting: Set(pendingRestart.waits.map(\.key))
        case .edited: memory.editedOutside
        case .favourite: Set(memory.favourites.keys)
        case .renamed: renamed
        case .broken, .locked, .restart, .expired, .expiring, .stale, .retired, .undefined: []
        }
    }

    /// Whether the flag should be gone by now.
    func isExpired(_ entry: FlagEntry) -> Bool {
        entry.definition.metadata.expires.map { $0 < now } ?? false
    }

    /// How soon a flag expires that is told to expire soon, in seconds: 30 days.
    private static let soon: TimeInterval = 30 * 86_400

    /// Whether the flag should be gone within 30 days.
    func isExpiring(_ entry: FlagEntry) -> Bool {
        entry.definition.metadata.expires.map { $0 >= now && $0 < now.addingTimeInterval(Self.soon) } ?? false
    }

    /// Why the flag looks forgotten, as a sentence; `nil` where it doesn't.
    func staleness(of entry: FlagEntry) -> String? {
        if isExpired(entry) { return "The day has passed on which the flag should be gone: remove it." }
        guard let last = unchanged[entry.key] else { return nil }
        let time = last.map { "last changed \(TimeText($0).text)" } ?? "not changed since the history began"
        return "Its value is set and was \(time), 180 days ago or more: make the value its default, or remove the flag."
    }

    /// Whether the flag looks forgotten.
    func isStale(_ entry: FlagEntry) -> Bool { isExpired(entry) || unchanged.index(forKey: entry.key) != nil }

    /// The name of a group.
    func name(of group: FlagKeyPath) -> String {
        catalogue.collections[group]?.displayName ?? group.shownName
    }
}

extension FlagKeyPath {
    /// The readable name; a name of no characters is said rather than left out.
    var shownName: String {
        let name = readableName
        return name.isEmpty ? "(empty name)" : name
    }

    /// The text form to show; that of a single empty component is said rather than left out.
    var shownText: String { text.isEmpty ? "\"\"" : text }
}

extension FlagDefinition {
    /// The name to show, also where the key has no characters to make one of.
    var shownName: String { metadata.name ?? key.shownName }
}
