import FeatureFlags

/// The criteria and order of a list of flags.
///
/// All criteria must hold.
package struct FlagFilter: Hashable, Sendable {
    /// A state to filter by; unlike ``FlagState``, several apply to one flag.
    package enum State: String, CaseIterable, Hashable, Sendable {
        case on, off
        case overriddenOn = "overridden-on"
        case overriddenOff = "overridden-off"
        case overridden
        case byDefault = "default"
        case noValue = "no-value"
        case computed

        var label: String {
            switch self {
            case .on: "On"
            case .off: "Off"
            case .overriddenOn: "Overridden on"
            case .overriddenOff: "Overridden off"
            case .overridden: "Overridden"
            case .byDefault: "Default"
            case .noValue: "No value"
            case .computed: "Computed by the app"
            }
        }
    }

    /// A condition beside the state; several apply to one flag.
    package enum Mark: String, CaseIterable, Hashable, Sendable {
        case broken, locked, restart, expired, expiring, stale, retired, renamed, undefined
        case differsInApp = "differs-in-app"
        case waiting, edited, favourite

        var label: String {
            switch self {
            case .broken: "Broken"
            case .locked: "Locked"
            case .restart: "Requires restart"
            case .expired: "Expired"
            case .expiring: "Expires within 30 days"
            case .stale: "Stale"
            case .retired: "Deprecated"
            case .renamed: "Renamed"
            case .undefined: "No definition"
            case .differsInApp: "Different in an app"
            case .waiting: "Pending app restart"
            case .edited: "Edited externally since last visit"
            case .favourite: "Favourites"
            }
        }
    }

    /// The order of the list; only the first two use groups.
    package enum Sort: String, CaseIterable, Hashable, Sendable {
        /// By group, then by the definitions' `order`, then by their place in the manifest.
        case order
        /// By group, then by key.
        case key
        case keyFromEnd = "-key"
        /// By last change, newest first.
        case changed
        case changedFromEnd = "-changed"
        /// By source, type or owner, then by key.
        case source
        case sourceFromEnd = "-source"
        case type
        case typeFromEnd = "-type"
        case owner
        case ownerFromEnd = "-owner"

        var label: String {
            switch self {
            case .order: "Manifest order"
            case .key: "Key path"
            case .changed: "Last change"
            case .source: "Source"
            case .type: "Type"
            case .owner: "Owner"
            case .keyFromEnd, .changedFromEnd, .sourceFromEnd, .typeFromEnd, .ownerFromEnd:
                [reversed?.label, direction].compactMap(\.self).joined(separator: ", ")
            }
        }

        /// In words; `nil` if there is only one.
        var direction: String? {
            switch self {
            case .order: nil
            case .key, .source, .type, .owner: "A to Z"
            case .keyFromEnd, .sourceFromEnd, .typeFromEnd, .ownerFromEnd: "Z to A"
            case .changed: "newest first"
            case .changedFromEnd: "oldest first"
            }
        }

        var reversed: Sort? { Sort(rawValue: isFromEnd ? String(rawValue.dropFirst()) : "-\(rawValue)") }

        /// The descending one of two orders.
        var isFromEnd: Bool { rawValue.hasPrefix("-") }

        var isByChange: Bool { self == .changed || self == .changedFromEnd }
    }

    static let defaultSource = "default"

    /// Names the flag whose row is open.
    static let openField = "open"
    /// Names the flag whose row the list scrolls to.
    static let returnField = "at"

    static let providersView = "providers"

    /// All words must occur in the key, name, description, tags or group names.
    var text: String
    private(set) var chosen: [FlagCriterion: String]
    var marks: Set<Mark>
    var sort: Sort
    var showsProviders = false
    var page = 1
    var opened: FlagKeyPath?
    /// The list scrolls to its row.
    var returning: FlagKeyPath?
    var problems: [String] = []

    init(
        text: String = "", _ chosen: [FlagCriterion: String] = [:], marks: Set<Mark> = [], sort: Sort = .order
    ) {
        self.text = text
        self.chosen = chosen
        self.marks = marks
        self.sort = sort
    }

    subscript(criterion: FlagCriterion) -> String? {
        get { chosen[criterion] }
        set { chosen[criterion] = newValue }
    }

    var isActive: Bool { hasCriteria || !problems.isEmpty }

    var hasCriteria: Bool { hasText || hasCriteriaBesidesText }

    var hasCriteriaBesidesText: Bool { !chosen.isEmpty || !marks.isEmpty }

    var hasText: Bool { !text.allSatisfy(\.isWhitespace) }

    /// The list has no groups, because search results and changes have their own order.
    var isFlat: Bool { hasText || ![.order, .key].contains(sort) }

    var closed: FlagFilter {
        var filter = self
        (filter.opened, filter.returning) = (nil, nil)
        return filter
    }

    func returning(to key: FlagKeyPath) -> FlagFilter {
        var filter = closed
        filter.returning = key
        return filter
    }

    func opening(_ key: FlagKeyPath) -> FlagFilter {
        var filter = self
        filter.opened = key
        return filter
    }

    /// Returns the filter with one criterion changed, back on its first page.
    func with<Value>(_ criterion: WritableKeyPath<FlagFilter, Value>, _ value: Value) -> FlagFilter {
        var filter = onFirstPage
        filter[keyPath: criterion] = value
        return filter
    }

    func with(_ criterion: FlagCriterion, _ value: String?) -> FlagFilter {
        var filter = onFirstPage
        filter[criterion] = value
        return filter
    }

    private var onFirstPage: FlagFilter {
        var filter = self
        filter.page = 1
        (filter.opened, filter.returning) = (nil, nil)
        filter.problems = []
        return filter
    }

    func parts(_ criterion: FlagCriterion) -> [String] { self[criterion].map(criterion.parts) ?? [] }

    /// Chooses a value, beside others where the criterion takes several, or drops it.
    func toggling(_ criterion: FlagCriterion, _ value: String) -> FlagFilter {
        let chosen = parts(criterion)
        if chosen.contains(value) {
            let rest = chosen.filter { $0 != value }
            return with(criterion, rest.isEmpty ? nil : rest.joined(separator: ","))
        }
        return with(criterion, criterion.takesSeveral ? (chosen + [value]).joined(separator: ",") : value)
    }
}
