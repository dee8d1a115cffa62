import FeatureFlags
import FlagChanges

/// The state of a flag in words, with the symbol that stands before them.
struct StateLabel: Hashable, Sendable {
    /// The state's name, for the style sheet and for tests.
    let name: String
    let label: String
    let symbol: String

    init(_ state: FlagState) {
        name = state.rawValue
        label = state.label
        symbol =
            switch state {
            case .on: "●"
            case .off: "○"
            case .overriddenOn, .overridden: "◆"
            case .overriddenOff: "◇"
            case .byDefault: "•"
            case .noValue: "–"
            }
    }
}

/// Something to notice about a flag: `Locked`, `Restart`, `Not defined`, `Broken` or `Expired`.
struct FlagMark: Hashable, Sendable {
    /// The mark's name for the style sheet.
    let name: String
    let label: String
    let symbol: String
    /// What it means, in a sentence.
    let meaning: String

    static let locked = FlagMark(
        name: "locked", label: "Locked", symbol: "⊘", meaning: "The definition doesn't allow changes.")
    static let restart = FlagMark(
        name: "restart", label: "Restart", symbol: "↻", meaning: "A change takes effect when the app restarts.")
    static let undefined = FlagMark(
        name: "undefined", label: "Not defined", symbol: "?",
        meaning: "A provider holds a value, but the manifest has no definition.")
    static let broken = FlagMark(
        name: "broken", label: "Broken", symbol: "!", meaning: "A provider holds something that is not valid.")

    /// The marks of a flag, the gravest first.
    static func marks(of entry: FlagEntry) -> [FlagMark] {
        var marks: [FlagMark] = []
        if entry.resolution.isBroken { marks.append(.broken) }
        if entry.definition.metadata.isLocked { marks.append(.locked) }
        if entry.definition.metadata.requiresRestart { marks.append(.restart) }
        if !entry.isDefined { marks.append(.undefined) }
        return marks
    }
}
