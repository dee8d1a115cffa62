import FeatureFlags
import FlagChanges

struct StateLabel: Hashable, PagePart {
    let name: String
    let label: String
    let symbol: String

    /// A provider holds an invalid value; precedes the state.
    static let broken = StateLabel(name: "broken", label: "Broken", symbol: "!")

    private init(name: String, label: String, symbol: String) {
        self.name = name
        self.label = label
        self.symbol = symbol
    }

    /// Returns the labels of a flag, the gravest first.
    static func labels(of entry: FlagEntry, in view: CatalogueView) -> [StateLabel] {
        (view.isBroken(entry) ? [.broken] : []) + [StateLabel(entry)]
    }

    private init(_ entry: FlagEntry) {
        let state = entry.state
        name = state.rawValue
        label = Self.label(of: entry)
        symbol =
            switch state {
            case .on: "●"
            case .off: "○"
            case .overriddenOn, .overridden: "◆"
            case .overriddenOff: "◇"
            case .byDefault: "•"
            case .noValue: "–"
            case .computed: "ƒ"
            }
    }

    private static func label(of entry: FlagEntry) -> String {
        switch entry.state {
        case .overridden: "Set"
        case .overriddenOn: "Set on"
        case .overriddenOff: "Set off"
        case .on, .off, .byDefault, .noValue, .computed: entry.state.label
        }
    }
}

/// A mark of a flag: `Locked`, `Restart`, `Expired`, `Stale`, `Retired`, `Internal` or `Not defined`.
struct FlagMark: Hashable, PagePart {
    let name: String
    let label: String
    let symbol: String
    let meaning: String

    /// A provider holds an invalid value; precedes the others.
    static let broken = FlagMark(
        name: "broken", label: "Broken", symbol: "!",
        meaning: "A provider holds something that is no value of the flag.")
    static let locked = FlagMark(
        name: "locked", label: "Locked", symbol: "⊘", meaning: "The definition doesn't allow changes.")
    static let restart = FlagMark(
        name: "restart", label: "Restart", symbol: "↻", meaning: "A change takes effect when the app restarts.")
    static let expired = FlagMark(
        name: "expired", label: "Expired", symbol: "◷", meaning: "The day has passed on which the flag should be gone.")
    static func stale(because meaning: String) -> FlagMark {
        FlagMark(name: "stale", label: "Stale", symbol: "◔", meaning: meaning)
    }

    static func retired(because reason: String) -> FlagMark {
        FlagMark(
            name: "retired", label: "Retired", symbol: "⌁",
            meaning: "Nobody should use the flag any more\(reason.isEmpty ? "." : ": \(reason)")")
    }

    static let `internal` = FlagMark(
        name: "internal", label: "Internal", symbol: "◌",
        meaning: "Only a dashboard that was started with --show-internal shows the flag.")
    static let undefined = FlagMark(
        name: "undefined", label: "Not defined", symbol: "?",
        meaning: "A provider holds a value, but the manifest has no definition.")

    /// Returns a flag's marks, the gravest first.
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
        return marks
    }
}
