import FeatureFlags
import FlagChanges

struct StateLabel: Hashable, PagePart {
    let name: String
    let label: String
    /// The symbol of `icons.svg`.
    let icon: String

    /// A provider holds an invalid value; precedes the state.
    static let broken = StateLabel(name: "broken", label: "Broken", icon: "exclamationmark")

    private init(name: String, label: String, icon: String) {
        self.name = name
        self.label = label
        self.icon = icon
    }

    /// The gravest first.
    static func labels(of entry: FlagEntry, in view: CatalogueView) -> [StateLabel] {
        (view.isBroken(entry) ? [.broken] : []) + [StateLabel(entry)]
    }

    private init(_ entry: FlagEntry) {
        let state = entry.state
        name = state.rawValue
        label = Self.label(of: entry)
        icon =
            switch state {
            case .on: "checkmark"
            case .off: "circle"
            case .overriddenOn, .overridden: "pencil"
            case .overriddenOff: "pencil"
            case .byDefault: "checkmark"
            case .noValue: "minus"
            case .computed: "function"
            }
    }

    private static func label(of entry: FlagEntry) -> String {
        switch entry.state {
        case .overridden: "Overridden"
        case .overriddenOn: "Overridden on"
        case .overriddenOff: "Overridden off"
        case .on, .off, .byDefault, .noValue, .computed: entry.state.label
        }
    }
}

/// A mark of a flag: `Locked`, `Restart`, `Expired`, `Stale`, `Deprecated`, `Internal`, `No definition` or `shop: Off`.
struct FlagMark: Hashable, PagePart {
    let name: String
    let label: String
    /// The symbol of `icons.svg`.
    let icon: String
    let meaning: String

    /// A provider holds an invalid value; precedes the others.
    static let broken = FlagMark(
        name: "broken", label: "Broken", icon: "exclamationmark",
        meaning: "A stored value doesn’t match the flag’s type and is ignored.")
    static let locked = FlagMark(
        name: "locked", label: "Locked", icon: "lock", meaning: "An admin must unlock it before it can be changed.")
    static let restart = FlagMark(
        name: "restart", label: "Restart", icon: "repeat", meaning: "Changes apply after the app restarts.")
    static let expired = FlagMark(
        name: "expired", label: "Expired", icon: "clock", meaning: "Past its expiry date.")
    static func stale(because meaning: String) -> FlagMark {
        FlagMark(name: "stale", label: "Stale", icon: "clock", meaning: meaning)
    }

    static func retired(because reason: String) -> FlagMark {
        FlagMark(
            name: "retired", label: "Deprecated", icon: "archivebox",
            meaning: reason.isEmpty ? "Deprecated; don’t use it in new code." : "Deprecated: \(reason)")
    }

    static let `internal` = FlagMark(
        name: "internal", label: "Internal", icon: "eye",
        meaning: "Shown because Flagboard was started with --show-internal.")
    static let undefined = FlagMark(
        name: "undefined", label: "No definition", icon: "questionmark",
        meaning: "Has a value but no definition in the manifest.")

    /// What a connected app reads in place of the effective value.
    private static func inApp(_ app: String, _ value: FlagValue) -> FlagMark {
        let text = ShownValue(value).plain
        return FlagMark(
            name: "in-app", label: text.count > 12 ? "Different in \(app)" : "\(app): \(text)", icon: "iphone",
            meaning: "The running app \(app) reads \(text).")
    }

    /// The gravest first.
    static func marks(of entry: FlagEntry, in view: CatalogueView) -> [FlagMark] {
        let metadata = entry.definition.metadata
        var marks: [FlagMark] = []
        if metadata.isLocked { marks.append(.locked) }
        if metadata.requiresRestart { marks.append(.restart) }
        if view.isExpired(entry) { marks.append(.expired) }
        if let reason = view.staleness(of: entry), !view.isExpired(entry) { marks.append(.stale(because: reason)) }
        if let reason = metadata.retired { marks.append(.retired(because: reason)) }
        if metadata.isInternal { marks.append(.internal) }
        if !entry.isDefined { marks.append(.undefined) }
        return marks + view.appValues(of: entry).map(inApp)
    }
}
