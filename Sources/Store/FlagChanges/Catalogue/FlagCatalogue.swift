import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// All visible flags at one moment.
///
/// Internal flags are left out, so no reader of a catalogue can show, count or export one.
package struct FlagCatalogue: Sendable {
    package let entries: FlagEntries
    /// The definitions of groups that hold a visible flag.
    package let collections: [FlagKeyPath: FlagCollectionDefinition]
    package let providers: [ProviderSummary]
    package let searchIndex: FlagSearchIndex
    let order: FlagOrder
    /// Fields without effect that were likely meant as others.
    package let mistakenFields: [UnknownField]

    /// The same object until a flag is added or removed.
    private let flagPlaces: FlagPlaces
    var places: [FlagKeyPath: Int] { flagPlaces.byKey }
    /// The flags with another value in their place in a provider.
    let blocked: Set<FlagKeyPath>

    package init(
        entries: [FlagEntry], collections: [FlagKeyPath: FlagCollectionDefinition], providers: [ProviderSummary],
        order: FlagOrder = FlagOrder(), mistakenFields: [UnknownField] = []
    ) {
        self.entries = FlagEntries(entries)
        self.mistakenFields = mistakenFields
        self.order = order
        self.collections = collections
        self.providers = providers
        self.searchIndex = FlagSearchIndex(entries, collections)
        flagPlaces = FlagPlaces(
            Dictionary(
                entries.enumerated().map { ($1.definition.key, $0) }, uniquingKeysWith: { first, _ in first }))
        blocked = Set(entries.lazy.filter(\.isBlocked).map(\.key))
    }

    init(
        _ previous: FlagCatalogue, entries: FlagEntries, blocked: Set<FlagKeyPath>,
        providers: [ProviderSummary]? = nil, searchIndex: FlagSearchIndex? = nil
    ) {
        self.entries = entries
        self.blocked = blocked
        self.providers = providers ?? previous.providers
        collections = previous.collections
        order = previous.order
        mistakenFields = previous.mistakenFields
        self.searchIndex = searchIndex ?? previous.searchIndex
        flagPlaces = previous.flagPlaces
    }

    init(
        _ previous: FlagCatalogue, entries: FlagEntries, blocked: Set<FlagKeyPath>, splice: ListSplice,
        inserted: [FlagEntry], searchIndex: FlagSearchIndex
    ) {
        self.entries = entries
        self.blocked = blocked
        providers = previous.providers
        collections = previous.collections
        order = previous.order
        mistakenFields = previous.mistakenFields
        self.searchIndex = searchIndex.changed(by: splice, inserting: inserted, previous.collections)
        var places = previous.places
        for place in splice.removed { places[previous.entries[place].key] = nil }
        places = places.mapValues(splice.place(after:))
        for (count, (entry, place)) in zip(inserted, splice.inserted).enumerated() {
            // Flags inserted before the same element follow each other.
            places[entry.key] = place - splice.removed.count { $0 < place } + count
        }
        flagPlaces = FlagPlaces(places)
    }

    func hasSameFlags(as other: FlagCatalogue) -> Bool { flagPlaces === other.flagPlaces }

    package func holdsFlag(in group: FlagKeyPath) -> Bool {
        entries.contains { $0.key.isInside(group) && $0.key != group }
    }

    func shows(_ group: FlagKeyPath) -> Bool {
        entries.contains { $0.definition.groupPath.starts(with: group.components) }
    }

    package subscript(key: FlagKeyPath) -> FlagEntry? {
        places[key].map { entries[$0] }
    }

    /// Returns the default provider for changes of a flag; `nil` if none is writable.
    package func usualProvider(for key: FlagKeyPath) -> ProviderSummary? {
        providers.lazy.filter { $0.takesChanges(of: key) }.usual
    }
}

extension Collection<ProviderSummary> {
    /// The first one that reads ask, files before an app's own values, which may be gone when it ends.
    package var usual: ProviderSummary? {
        first { $0.isAsked && $0.isFile } ?? first(where: \.isAsked)
    }
}

private final class FlagPlaces: Sendable {
    let byKey: [FlagKeyPath: Int]

    init(_ byKey: [FlagKeyPath: Int]) { self.byKey = byKey }
}

package struct ProviderSummary: Hashable, Sendable {
    /// The name, as in ``FlagResolution/Reading/provider``.
    package let name: String
    package let description: String
    package let isWritable: Bool
    package let problem: String?
    /// True for a file, which has a history; other providers hold the app's own values.
    package let isFile: Bool
    /// False for another environment or a connected app, whose values reads ignore.
    package let isAsked: Bool
    /// The app in another process that has the provider.
    package let connectedApp: String?
    let unreadFlags: Set<FlagKeyPath>

    package func isRead(for key: FlagKeyPath) -> Bool { !unreadFlags.contains(key) }

    package func takesChanges(of key: FlagKeyPath) -> Bool { isWritable && isRead(for: key) }
}

extension ProviderSummary {
    package init(
        name: String, description: String, isWritable: Bool, problem: String? = nil, isFile: Bool = true,
        isAsked: Bool = true, connectedApp: String? = nil
    ) {
        self.init(
            name: name, description: description, isWritable: isWritable, problem: problem, isFile: isFile,
            isAsked: isAsked, connectedApp: connectedApp, unreadFlags: [])
    }
}

/// The sorted flags of a catalogue, mostly shared with the next one.
package struct FlagEntries: RandomAccessCollection, MutableCollection, Sendable {
    private var list: RunList<FlagEntry>

    package init(_ entries: [FlagEntry]) {
        list = RunList(entries)
    }

    package var count: Int { list.count }
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(place: Int) -> FlagEntry {
        get { list[place] }
        set { list[place] = newValue }
    }

    /// Returns the positions at which the lists differ, skipping shared parts; `nil` if their lengths differ.
    package func places(differingFrom other: FlagEntries) -> [Int]? {
        list.places(notSharedWith: other.list)?.filter { self[$0] != other[$0] }
    }
}

extension FlagEntries: Equatable {
    package static func == (left: FlagEntries, right: FlagEntries) -> Bool { left.elementsEqual(right) }
}

extension HiddenKeys {
    /// Hides flags, and each of their groups that has no visible flag.
    init(_ flags: Set<FlagKeyPath>, of definitions: FlagManifest?, besides catalogue: FlagCatalogue) {
        guard !flags.isEmpty else {
            self.init(flags: [])
            return
        }
        let shown = flags.compactMap { definitions?.definition(of: $0) }.flatMap { definition in
            definitions?.content.placed(definition).groups ?? []
        }
        let visible = catalogue.entries.lazy.flatMap { $0.key.ancestors + $0.definition.groups }
        self.init(flags: flags, groups: Set(flags.flatMap(\.ancestors) + shown).subtracting(visible))
    }
}

struct WritableProviders {
    private let names: [String]
    private let unread: [String: Set<FlagKeyPath>]

    init(_ snapshots: [ValuesSnapshot]) {
        let writable = snapshots.filter(\.isWritable)
        names = writable.map(\.name)
        unread = Dictionary(
            writable.filter { !$0.unreadFlags.isEmpty }.map { ($0.name, $0.unreadFlags) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns one shared list if all flags are read from all providers.
    subscript(key: FlagKeyPath) -> [String] {
        unread.isEmpty ? names : names.filter { unread[$0]?.contains(key) != true }
    }
}

struct StaleOverrides {
    static let patience: TimeInterval = 180 * 86_400

    /// The basis is the hour.
    private var lookups = HistoryLookupCache<Int, Date?>()

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
