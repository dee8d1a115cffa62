import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Every flag that may be seen, at one moment: definitions joined with what the providers hold.
///
/// Internal flags are not in it, so nothing that reads a catalogue can show, count or export one.
public struct FlagCatalogue: Sendable {
    /// The flags, each group's in its order: by `order` where the definition has one, then by key.
    public let entries: FlagEntries
    /// The definitions of the groups that have one and hold a flag that may be seen.
    public let collections: [FlagKeyPath: FlagCollectionDefinition]
    /// The providers, in order of precedence.
    public let providers: [ProviderSummary]
    /// What the flags are searched by.
    public let searchIndex: FlagSearchIndex
    /// The fields of the manifest, and of the flags and groups that may be seen, that have no effect, and that somebody
    /// likely wrote for others.
    public let mistakenFields: [UnknownField]

    /// Where each flag stands: one object for as long as no flag comes or goes.
    private let flagPlaces: FlagPlaces
    var places: [FlagKeyPath: Int] { flagPlaces.byKey }
    /// The flags that a provider could not be asked for, since something else is in the way.
    let blocked: Set<FlagKeyPath>

    /// Makes a catalogue of entries that are already in order.
    public init(
        entries: [FlagEntry], collections: [FlagKeyPath: FlagCollectionDefinition], providers: [ProviderSummary],
        mistakenFields: [UnknownField] = []
    ) {
        self.entries = FlagEntries(entries)
        self.mistakenFields = mistakenFields
        self.collections = collections
        self.providers = providers
        self.searchIndex = FlagSearchIndex(entries, collections)
        flagPlaces = FlagPlaces(
            Dictionary(
                entries.enumerated().map { ($1.definition.key, $0) }, uniquingKeysWith: { first, _ in first }))
        blocked = Set(entries.lazy.filter(\.isBlocked).map(\.key))
    }

    /// The same flags, in the same places, with other values, or searched by other texts.
    init(
        _ previous: FlagCatalogue, entries: FlagEntries, blocked: Set<FlagKeyPath>,
        providers: [ProviderSummary]? = nil, searchIndex: FlagSearchIndex? = nil
    ) {
        self.entries = entries
        self.blocked = blocked
        self.providers = providers ?? previous.providers
        collections = previous.collections
        mistakenFields = previous.mistakenFields
        self.searchIndex = searchIndex ?? previous.searchIndex
        flagPlaces = previous.flagPlaces
    }

    /// The same flags, but for some that were taken out and others that were put in.
    init(
        _ previous: FlagCatalogue, entries: FlagEntries, blocked: Set<FlagKeyPath>, splice: ListSplice,
        inserted: [FlagEntry], searchIndex: FlagSearchIndex
    ) {
        self.entries = entries
        self.blocked = blocked
        providers = previous.providers
        collections = previous.collections
        mistakenFields = previous.mistakenFields
        self.searchIndex = searchIndex.changed(by: splice, inserting: inserted, previous.collections)
        var places = previous.places
        for place in splice.removed { places[previous.entries[place].key] = nil }
        places = places.mapValues(splice.place(after:))
        for (count, (entry, place)) in zip(inserted, splice.inserted).enumerated() {
            // Those put in before the same element come one behind the other.
            places[entry.key] = place - splice.removed.count { $0 < place } + count
        }
        flagPlaces = FlagPlaces(places)
    }

    /// Whether another catalogue has the same flags, whatever their values: no flag has come or gone between the two.
    func hasSameFlags(as other: FlagCatalogue) -> Bool { flagPlaces === other.flagPlaces }

    /// Whether any flag stands in a group.
    package func holdsFlag(in group: FlagKeyPath) -> Bool {
        entries.contains { $0.key.isInside(group) && $0.key != group }
    }

    /// The flag of exactly this key path, or `nil` where there is none to be seen.
    ///
    /// - Parameter key: The key path.
    public subscript(key: FlagKeyPath) -> FlagEntry? {
        places[key].map { entries[$0] }
    }

    /// The provider in which a flag is changed where none is named; `nil` where it can be changed in none.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The provider.
    public func usualProvider(for key: FlagKeyPath) -> ProviderSummary? {
        providers.first { $0.isAsked && $0.takesChanges(of: key) }
    }
}

/// The place of each flag of a catalogue.
private final class FlagPlaces: Sendable {
    let byKey: [FlagKeyPath: Int]

    init(_ byKey: [FlagKeyPath: Int]) { self.byKey = byKey }
}

/// What people are told of a provider.
public struct ProviderSummary: Hashable, Sendable {
    /// Its name, as in ``FlagResolution/Reading/provider``.
    public let name: String
    /// Where its values come from.
    public let description: String
    /// Whether changes can be made in it.
    public let isWritable: Bool
    /// Why its values can't be read now; `nil` where they can.
    public let problem: String?
    /// Whether it is a file, with a history; the values of others are the app's own.
    public let isFile: Bool
    /// Whether a read asks it; otherwise it holds the values of another environment.
    public let isAsked: Bool
    /// The flags that the app does not read from it, those that may not be seen among them.
    private let unreadFlags: Set<FlagKeyPath>

    /// Makes a summary.
    public init(
        name: String, description: String, isWritable: Bool, problem: String? = nil, isFile: Bool = true,
        isAsked: Bool = true
    ) {
        self.init(
            name: name, description: description, isWritable: isWritable, problem: problem, isFile: isFile,
            isAsked: isAsked, unreadFlags: [])
    }

    init(
        name: String, description: String, isWritable: Bool, problem: String?, isFile: Bool, isAsked: Bool,
        unreadFlags: Set<FlagKeyPath>
    ) {
        self.name = name
        self.description = description
        self.isWritable = isWritable
        self.problem = problem
        self.isFile = isFile
        self.isAsked = isAsked
        self.unreadFlags = unreadFlags
    }

    /// Whether the flag of a key path is read from it: an app may exclude a provider for a flag.
    public func isRead(for key: FlagKeyPath) -> Bool { !unreadFlags.contains(key) }

    /// Whether the flag of a key path can be changed in it.
    public func takesChanges(of key: FlagKeyPath) -> Bool { isWritable && isRead(for: key) }
}

/// The flags of a catalogue, in order.
///
/// The next catalogue, in which one flag is another, shares most of them.
public struct FlagEntries: RandomAccessCollection, MutableCollection, Sendable {
    private var list: RunList<FlagEntry>

    /// Takes over a list.
    ///
    /// - Parameter entries: The flags, in order.
    public init(_ entries: [FlagEntry]) {
        list = RunList(entries)
    }

    /// How many flags there are.
    public var count: Int { list.count }
    /// The place of the first flag.
    public var startIndex: Int { 0 }
    /// The place behind the last flag.
    public var endIndex: Int { count }

    /// The flag at a place.
    public subscript(place: Int) -> FlagEntry {
        get { list[place] }
        set { list[place] = newValue }
    }

    /// The places at which another list of as many flags has other ones; what both share is not looked into.
    ///
    /// - Returns: The places, in order; `nil` where the other list is shorter or longer.
    package func places(differingFrom other: FlagEntries) -> [Int]? {
        list.places(notSharedWith: other.list)?.filter { self[$0] != other[$0] }
    }
}

extension FlagEntries: Equatable {
    /// Whether both lists say the same of the same flags.
    public static func == (left: FlagEntries, right: FlagEntries) -> Bool { left.elementsEqual(right) }
}

extension HiddenKeys {
    /// What the history must not show: flags, and the groups that hold nothing besides them.
    init(_ flags: Set<FlagKeyPath>, besides catalogue: FlagCatalogue) {
        guard !flags.isEmpty else {
            self.init(flags: [])
            return
        }
        let groups = Set(flags.flatMap(\.ancestors))
        self.init(flags: flags, groups: groups.subtracting(catalogue.entries.lazy.flatMap(\.key.ancestors)))
    }
}

/// The names of the providers in which each flag can be changed, in order of precedence.
struct WritableProviders {
    private let names: [String]
    /// The flags that are not read from one of these, by its name; only of those that have any.
    private let unread: [String: Set<FlagKeyPath>]

    /// - Parameter snapshots: The providers, in order of precedence.
    init(_ snapshots: [ValuesSnapshot]) {
        let writable = snapshots.filter(\.isWritable)
        names = writable.map(\.name)
        unread = Dictionary(
            writable.filter { !$0.unreadFlags.isEmpty }.map { ($0.name, $0.unreadFlags) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Those of a flag: one list for all flags, where all are read from each.
    subscript(key: FlagKeyPath) -> [String] {
        unread.isEmpty ? names : names.filter { unread[$0]?.contains(key) != true }
    }
}

/// Which overrides have not been changed for long.
struct StaleOverrides {
    /// How long an override may stay the same before it looks forgotten: 180 days, in seconds.
    static let patience: TimeInterval = 180 * 86_400

    /// By the hour.
    private var lookups = HistoryLookupCache<Int, Date?>()

    /// The overridden flags that have not been changed for long, with the time of the last change where that is known.
    ///
    /// - Parameter files: What the catalogue follows from; `nil` where that can't be told.
    mutating func unchanged(
        _ catalogue: FlagCatalogue, _ files: CatalogueCache.State?, _ history: HistoryStore, now: Date
    ) throws(HistoryStoreError) -> [FlagKeyPath: Date?] {
        try lookups.found(files, Int(now.timeIntervalSince1970 / 3600), history, in: catalogue) {
            $0.isDefined && $0.resolution.isOverridden
        } lookUp: { (keys) throws(HistoryStoreError) in
            try history.unchanged(
                keys, since: now.addingTimeInterval(-Self.patience),
                leavingOut: catalogue.providers.filter { !$0.isAsked }.map(\.name))
        }
    }
}
