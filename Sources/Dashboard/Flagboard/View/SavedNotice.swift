import FeatureFlags
import FlagChanges
import FlagHistory

/// The result of a form that changes a flag.
struct SavedNotice: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case set, reset, unchanged, locked, unlocked, lockUnchanged
        case defined, redefined, renamed, retired, restored, definitionUnchanged
        /// Changes made together, selected on the page at `back`.
        case batch(Int, back: String)
        /// Earlier changes that were given a reason.
        case reasonAdded(Int)

        /// Nothing was different before.
        var changesNothing: Bool { [.unchanged, .lockUnchanged, .definitionUnchanged].contains(self) }
    }

    let outcome: Outcome
    let provider: String
    /// `nil` if nothing changed.
    let record: HistoryRecord?
    let note: HistoryRecord?

    init(outcome: Outcome, provider: String, record: HistoryRecord? = nil, note: HistoryRecord? = nil) {
        self.outcome = outcome
        self.provider = provider
        self.record = record
        self.note = note
    }

    init(_ outcome: Outcome, _ provider: String, _ answer: ChangeOutcome) {
        let record: HistoryRecord? = if case .applied(let record) = answer { record } else { nil }
        self.init(outcome: outcome, provider: provider, record: record)
    }

    /// Returns the notice, worded for the flag's present state.
    ///
    /// - Parameters:
    ///   - entry: `nil` if nothing is left of the flag.
    ///   - elsewhere: The effect where reads here don't ask.
    func text(_ entry: FlagEntry?, _ pending: PendingRestart, elsewhere: String? = nil) -> String {
        if case .batch(let count, _) = outcome {
            return count == 1 ? "Applied: 1 change." : "Applied: \(count) changes, made together."
        }
        if case .reasonAdded(let count) = outcome {
            return count == 1 ? "Reason added to change \(record?.id ?? 0)." : "Reason added to \(count) changes."
        }
        guard let entry else {
            return "Reset. \(provider) holds no value any more, so the flag is gone."
        }
        let resolution = entry.resolution
        var text: String
        let isUndone = record?.event.origin == .revert
        switch (outcome, resolution[provider]) {
        case (.set, .value(_, let stored)?) where isUndone:
            text = "Undone. \(provider) holds \(ShownValue(stored).inSentence) again."
        case (.set, _) where isUndone: text = "Undone in \(provider)."
        case (.reset, _) where isUndone: text = "Undone. \(provider) holds no value again."
        case (.set, .value(_, let stored)?):
            text = "Saved. \(provider) now holds \(ShownValue(stored).inSentence)."
        case (.set, _): text = "Saved in \(provider)."
        case (.reset, _): text = "Reset. \(provider) holds no value any more."
        case (.batch, _): text = "Applied."
        case (.reasonAdded, _): text = "Reason added."
        case (.locked, _): return "Locked. Nobody can change this flag here until an admin unlocks it."
        case (.unlocked, _): return "Unlocked. Editors can change this flag again."
        case (.lockUnchanged, _):
            return
                "Nothing changed: the flag was \(entry.definition.metadata.isLocked ? "locked" : "unlocked") already."
        case (.defined, _): return "Defined. The manifest now holds its definition."
        case (.redefined, _): return "Saved. The manifest now holds the new definition."
        case (.renamed, _): return "Renamed. The definition and the values are now at this key path."
        case (.retired, _): return "Retired. The flag is marked as not to be used any more."
        case (.restored, _): return "Put back in use. The flag is no longer marked as retired."
        case (.definitionUnchanged, _): return "Nothing changed: the definition said that already."
        case (.unchanged, .absent?): return "Nothing changed: \(provider) held no value before."
        case (.unchanged, _): return "Nothing changed: \(provider) held that value already."
        }
        if let record, let retyped = ChangeOutcome.applied(record).retyped.sentence {
            text += " \(retyped)"
        }
        if let elsewhere { return "\(text) \(elsewhere)" }
        if entry.state == .computed {
            text +=
                resolution.source == .computed
                ? " The app asks for it only if it computes no value." : " The app computes the default."
        } else if resolution.source == .none {
            text += " The flag has no value now."
        } else if resolution.source != .provider(provider) {
            let effective = ShownValue(resolution.effectiveValue).inSentence
            text += " The effective value is \(effective), from \(resolution.source.words)."
        }
        if entry.definition.metadata.requiresRestart {
            text +=
                pending.waits.contains { $0.key == entry.key }
                ? " It takes effect when the app restarts." : " The app runs with this value already."
        }
        return text
    }
}

final class SavedNotices: Sendable {
    private let waiting = FlashItems<ReturnToList.Saved>()

    func add(_ notice: SavedNotice, about key: FlagKeyPath) -> String {
        waiting.add(ReturnToList.Saved(key: key, notice: notice))
    }

    /// Removes and returns a notice about a flag.
    func take(_ token: String?, about key: FlagKeyPath) -> SavedNotice? {
        waiting.take(token) { $0.key == key }?.notice
    }

    /// Removes and returns a notice about any flag, for a list.
    func take(_ token: String?) -> ReturnToList.Saved? { waiting.take(token) }
}

extension Dashboard {
    var savedNotices: SavedNotices { states.value { SavedNotices() } }
}
