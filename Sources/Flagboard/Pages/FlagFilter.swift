import FeatureFlags

/// Which flags to list.
///
/// Every criterion that is set must hold.
struct FlagFilter: Hashable, Sendable {
    /// What a flag's state can be asked for; wider than ``FlagState``, since a flag can be several at once.
    enum State: String, CaseIterable, Hashable, Sendable {
        case on, off
        case overriddenOn = "overridden-on"
        case overriddenOff = "overridden-off"
        case overridden
        case byDefault = "default"
        case noValue = "no-value"
        case broken, locked, restart, expired, stale, retired, undefined

        /// The state in words.
        var label: String {
            switch self {
            case .on: "On"
            case .off: "Off"
            case .overriddenOn: "Overridden on"
            case .overriddenOff: "Overridden off"
            case .overridden: "Overridden"
            case .byDefault: "Default"
            case .noValue: "No value"
            case .broken: "Broken"
            case .locked: "Locked"
            case .restart: "Requires restart"
            case .expired: "Expired"
            case .stale: "Stale"
            case .retired: "Retired"
            case .undefined: "Not defined"
            }
        }
    }

    /// What ``provider`` is for the flags that no provider overrides.
    static let defaultSource = "default"

    /// Words that must all be found in the key, name, description, tags or group names.
    var text: String
    var state: State?
    var tag: String?
    /// The group that the flags stand in.
    var group: FlagKeyPath?
    /// The provider whose value is the effective one, or ``defaultSource``.
    var provider: String?
    /// Which page of the list, from 1.
    var page = 1
    /// What was asked for and does not exist, in sentences.
    private(set) var problems: [String] = []

    init(
        text: String = "", state: State? = nil, tag: String? = nil, group: FlagKeyPath? = nil, provider: String? = nil
    ) {
        self.text = text
        self.state = state
        self.tag = tag
        self.group = group
        self.provider = provider
    }

    /// Reads the query of a request: `q`, `state`, `tag`, `group`, `provider` and `page`; empty ones count as absent.
    init(query: [String: String]) {
        let query = query.filter { !$0.value.isEmpty }
        self.init(text: query["q"] ?? "", tag: query["tag"], provider: query["provider"])
        if let name = query["state"] {
            state = State(rawValue: name)
            if state == nil { problems.append("There is no state \"\(name)\": choose one from the list.") }
        }
        if let path = query["group"] {
            group = FlagKeyPath(text: path)
            if group == nil { problems.append("\"\(path)\" is not a key path: a ~ is written ~0 in it, a / ~1.") }
        }
        if let number = query["page"] {
            page = max(1, Int(number) ?? 0)
            if page != Int(number) { problems.append("There is no page \"\(number)\": the first one is shown.") }
        }
    }

    /// Whether anything is asked for at all.
    var isActive: Bool {
        !text.allSatisfy(\.isWhitespace) || state != nil || tag != nil || group != nil || provider != nil
            || !problems.isEmpty
    }

    /// The list of flags with this filter.
    var href: String {
        PageLink.flags
            + PageLink.query([
                ("q", text), ("state", state?.rawValue), ("tag", tag), ("group", group?.text), ("provider", provider),
                ("page", page > 1 ? String(page) : nil),
            ])
    }

    /// This filter with one criterion changed, from its first page on.
    func with<Value>(_ criterion: WritableKeyPath<FlagFilter, Value>, _ value: Value) -> FlagFilter {
        var filter = self
        filter.page = 1
        filter[keyPath: criterion] = value
        filter.problems = []
        return filter
    }
}
