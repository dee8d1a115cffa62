import FeatureFlags

/// Which flags to list, and in which order.
///
/// Every criterion that is set must hold.
package struct FlagFilter: Hashable, Sendable {
    /// What a flag's state can be asked for; wider than ``FlagState``, since a flag can be several at once.
    package enum State: String, CaseIterable, Hashable, Sendable {
        case on, off
        case overriddenOn = "overridden-on"
        case overriddenOff = "overridden-off"
        case overridden
        case byDefault = "default"
        case noValue = "no-value"

        /// The state in words.
        var label: String {
            switch self {
            case .on: "On"
            case .off: "Off"
            case .overriddenOn: "Set on"
            case .overriddenOff: "Set off"
            case .overridden: "Set"
            case .byDefault: "Default"
            case .noValue: "No value"
            }
        }
    }

    /// What can be the matter with a flag beside its state; several can at once.
    package enum Mark: String, CaseIterable, Hashable, Sendable {
        case broken, locked, restart, expired, expiring, stale, retired, renamed, undefined, waiting, edited, favourite

        /// The mark in words.
        var label: String {
            switch self {
            case .broken: "Broken"
            case .locked: "Locked"
            case .restart: "Requires restart"
            case .expired: "Expired"
            case .expiring: "Expires in 30 days"
            case .stale: "Stale"
            case .retired: "Retired"
            case .renamed: "Renamed"
            case .undefined: "Not defined"
            case .waiting: "Waiting for a restart"
            case .edited: "Edited outside since your last visit"
            case .favourite: "Favourites"
            }
        }
    }

    /// The order of the list: groups play a part in the first two alone.
    package enum Sort: String, CaseIterable, Hashable, Sendable {
        /// By group, and within it by the definitions' `order`, then by key.
        case order
        /// By group, and all by key.
        case key
        /// By key, the last one first.
        case keyFromEnd = "-key"
        /// What was changed last comes first, or what was not for longest.
        case changed
        case changedFromEnd = "-changed"
        /// By where the value is from, by type, and by owner, and then by key.
        case source
        case sourceFromEnd = "-source"
        case type
        case typeFromEnd = "-type"
        case owner
        case ownerFromEnd = "-owner"

        /// The order in words.
        var label: String {
            switch self {
            case .order: "Defined order"
            case .key: "Key path"
            case .changed: "Last change"
            case .source: "Source"
            case .type: "Type"
            case .owner: "Owner"
            case .keyFromEnd, .changedFromEnd, .sourceFromEnd, .typeFromEnd, .ownerFromEnd:
                [reversed?.label, direction].compactMap(\.self).joined(separator: ", ")
            }
        }

        /// Which end comes first, in words; `nil` where there is one way alone.
        var direction: String? {
            switch self {
            case .order: nil
            case .key, .source, .type, .owner: "A to Z"
            case .keyFromEnd, .sourceFromEnd, .typeFromEnd, .ownerFromEnd: "Z to A"
            case .changed: "newest first"
            case .changedFromEnd: "oldest first"
            }
        }

        /// The same order from its other end; `nil` where there is none.
        var reversed: Sort? { Sort(rawValue: isFromEnd ? String(rawValue.dropFirst()) : "-\(rawValue)") }

        /// Whether it is the one of two that a list is asked for in the second place.
        var isFromEnd: Bool { rawValue.hasPrefix("-") }

        /// Whether it follows from when flags were changed.
        var isByChange: Bool { self == .changed || self == .changedFromEnd }
    }

    /// What ``provider`` is for the flags that no provider overrides.
    static let defaultSource = "default"

    /// What the address calls the flag whose row is open.
    static let openField = "open"
    /// What the address calls the flag whose row the list comes back to.
    static let returnField = "at"

    /// What the address calls the list with a column for each provider.
    static let providersView = "providers"

    /// Words that must all be found in the key, name, description, tags or group names.
    var text: String
    var state: State?
    /// All of them must hold.
    var marks: Set<Mark>
    var type: FlagType?
    var tag: String?
    /// Whose the flags are.
    var owner: String?
    /// The group that the flags stand in.
    var group: FlagKeyPath?
    /// The provider whose value is the effective one, or ``defaultSource``.
    var provider: String?
    var sort: Sort
    /// Whether the list has a column for each provider.
    var showsProviders = false
    /// Which page of the list, from 1.
    var page = 1
    /// The flag whose row is open; `nil` for none.
    var opened: FlagKeyPath?
    /// The flag whose row the list comes back to.
    var returning: FlagKeyPath?
    /// What was asked for and does not exist, in sentences.
    var problems: [String] = []

    init(
        text: String = "", state: State? = nil, marks: Set<Mark> = [], type: FlagType? = nil, tag: String? = nil,
        owner: String? = nil, group: FlagKeyPath? = nil, provider: String? = nil, sort: Sort = .order
    ) {
        self.text = text
        self.state = state
        self.marks = marks
        self.type = type
        self.tag = tag
        self.owner = owner
        self.group = group
        self.provider = provider
        self.sort = sort
    }

    /// Whether anything is asked for at all.
    var isActive: Bool { hasCriteria || !problems.isEmpty }

    /// Whether it may leave fewer than all flags.
    var hasCriteria: Bool { hasText || hasCriteriaBesidesText }

    /// Whether more is asked for than words.
    var hasCriteriaBesidesText: Bool {
        state != nil || !marks.isEmpty || type != nil || tag != nil || owner != nil || group != nil
            || provider != nil
    }

    /// Whether words are searched for.
    var hasText: Bool { !text.allSatisfy(\.isWhitespace) }

    /// Whether the list has no groups: what is found, and what was changed, stands in an order of its own.
    var isFlat: Bool { hasText || ![.order, .key].contains(sort) }

    /// This list without an open row.
    var closed: FlagFilter {
        var filter = self
        (filter.opened, filter.returning) = (nil, nil)
        return filter
    }

    /// This list without an open row, come back to at the row of a flag.
    func returning(to key: FlagKeyPath) -> FlagFilter {
        var filter = closed
        filter.returning = key
        return filter
    }

    /// This list with the row of a flag open.
    func opening(_ key: FlagKeyPath) -> FlagFilter {
        var filter = self
        filter.opened = key
        return filter
    }

    /// This filter with one criterion changed, from its first page on.
    func with<Value>(_ criterion: WritableKeyPath<FlagFilter, Value>, _ value: Value) -> FlagFilter {
        var filter = self
        filter.page = 1
        (filter.opened, filter.returning) = (nil, nil)
        filter.problems = []
        filter[keyPath: criterion] = value
        return filter
    }
}
