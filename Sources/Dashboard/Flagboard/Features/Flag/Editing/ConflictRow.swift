import FeatureFlags
import FlagChanges

/// One of the values between which a person decides after another person changed the flag.
struct ConflictRow: Hashable, PagePart {
    let label: String
    let shown: ShownValue?
    /// What happened to the value, or what would, in words.
    let note: TimedText?

    /// The value that the form started from, the one that is there now, and the one that was asked for.
    static func rows(
        _ form: FlagForm, _ conflict: FlagForm.Conflict, stored: FlagValue?, _ definition: FlagDefinition,
        resetWords: String
    ) -> [ConflictRow] {
        let yours =
            form.isReset
            ? ConflictRow(label: "Your change", shown: nil, note: TimedText(before: resetWords))
            : ConflictRow(label: "Your change", shown: shown(form.value, definition), note: nil)
        return (conflict.base.map { [ConflictRow(label: "When you opened the form", $0.value)] } ?? [])
            + [ConflictRow(label: "Now", stored, note: conflict.setBy), yours]
    }

    private init(label: String, shown: ShownValue?, note: TimedText?) {
        self.label = label
        self.shown = shown
        self.note = note
    }

    private init(label: String, _ value: FlagValue?, note: TimedText? = nil) {
        self.init(label: label, shown: ShownValue(value), note: note?.inParentheses)
    }

    /// What was typed as the value that it means, or as it is where it means none.
    private static func shown(_ typed: String?, _ definition: FlagDefinition) -> ShownValue? {
        typed.map { text in
            switch Result(catching: { try definition.parse(text) }) {
            case .success(let value): ShownValue(value)
            case .failure: ShownValue(.string(text))
            }
        }
    }
}
