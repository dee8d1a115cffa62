import FeatureFlags
import FlagChanges
import FlagHistory

struct SavedNotice: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case set, reset, unchanged, locked, unlocked, lockUnchanged
        case defined, redefined, renamed, retired, restored, definitionUnchanged
        /// The number of earlier changes.
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
    ///   - isUsual: The provider is the one that needs no name.
    ///   - elsewhere: The effect where reads here don't ask.
    func text(
        _ entry: FlagEntry?, _ pending: PendingRestart, isUsual: Bool = true, elsewhere: String? = nil
    ) -> String {
        switch outcome {
        case .reasonAdded(let count): return count == 1 ? "Reason added." : "Reason added to \(count) changes."
        default: break
        }
        guard let entry else { return "Reset. The flag had no definition, so it’s gone." }
        if let fixed = Self.definitionText(outcome, entry) { return fixed }
        let place = isUsual ? "" : " in \(provider)"
        let isUndone = record?.event.origin == .revert
        let stored: FlagValue? = if case .value(_, let stored)? = entry.resolution[provider] { stored } else { nil }
        var text: String
        switch outcome {
        case .unchanged:
            return stored == nil
                ? "No changes: there was no value\(place)." : "No changes: already set to that value\(place)."
        case .reset:
            text =
                isUndone
                ? "Undone. \(Self.fallback(entry, isSentence: false))" : "Reset\(place) \(Self.fallback(entry))"
        default: text = Self.setText(stored, entry.definition, isUndone: isUndone, place: place)
        }
        if let record, let retyped = ChangeOutcome.applied(record).retyped.sentence { text += " \(retyped)" }
        if let elsewhere { return "\(text) \(elsewhere)" }
        if stored != nil, entry.resolution.source != .provider(provider) { text += " \(Self.overriding(entry))" }
        if entry.definition.metadata.requiresRestart {
            text +=
                pending.waits.contains { $0.key == entry.key }
                ? " Takes effect after the app restarts." : " The app already uses this value."
        }
        return text
    }

    /// `nil` for a change of a value.
    private static func definitionText(_ outcome: Outcome, _ entry: FlagEntry) -> String? {
        switch outcome {
        case .locked: "Locked."
        case .unlocked: "Unlocked."
        case .lockUnchanged: "No changes: already \(entry.definition.metadata.isLocked ? "locked" : "unlocked")."
        case .defined: "Flag created."
        case .redefined: "Definition saved."
        case .renamed: "Flag renamed."
        case .retired: "Flag deprecated."
        case .restored: "Flag restored."
        case .definitionUnchanged: "No changes: the definition is the same."
        case .set, .reset, .unchanged, .reasonAdded: nil
        }
    }

    private static func setText(
        _ stored: FlagValue?, _ definition: FlagDefinition, isUndone: Bool, place: String
    ) -> String {
        let words: String? =
            switch stored {
            case .string("")?: "empty text"
            case let value?: ShownValue(value.shown(as: definition.type)).inSentence
            case nil: nil
            }
        guard let words else { return isUndone ? "Undone\(place)." : "Saved\(place)." }
        if isUndone { return "Undone. Back to \(words)\(place)." }
        let isSwitched = definition.type == .bool && ["on", "off"].contains(words)
        return isSwitched ? "Turned \(words)\(place)." : "Set to \(words)\(place)."
    }

    /// The state after a reset, to follow “Reset”.
    private static func fallback(_ entry: FlagEntry, isSentence: Bool = true) -> String {
        let resolution = entry.resolution
        let value = resolution.effectiveValue.map { ShownValue($0).inSentence }
        let to = isSentence ? "to" : "Back to"
        if entry.state == .computed {
            return resolution.source == .computed
                ? "\(to) the app’s computed value." : "\(to) the default, which the app computes."
        }
        guard let value else { return isSentence ? "to no value." : "The flag has no value." }
        return resolution.source == .defaultValue
            ? "\(to) default (\(value))." : "\(to) \(resolution.source.words) (\(value))."
    }

    private static func overriding(_ entry: FlagEntry) -> String {
        guard entry.state != .computed else { return "The app uses it only if it computes no value." }
        let value = ShownValue(entry.resolution.effectiveValue).inSentence
        return "The value in use is still \(value), from \(entry.resolution.source.words)."
    }
}

final class SavedNotices: Sendable {
    private let waiting = FlashItems<ReturnToList.Saved>()

    func add(_ notice: SavedNotice, about key: FlagKeyPath) -> String {
        waiting.add(ReturnToList.Saved(key: key, notice: notice))
    }

    func take(_ token: String?, about key: FlagKeyPath) -> SavedNotice? {
        waiting.take(token) { $0.key == key }?.notice
    }

    /// Removes and returns a notice about any flag, for a list.
    func take(_ token: String?) -> ReturnToList.Saved? { waiting.take(token) }
}

extension Dashboard {
    var savedNotices: SavedNotices { states.value { SavedNotices() } }
}

/// What one change, or several together, do, as a button, a preview and a notice call it.
enum BatchDeed: String, Hashable, Sendable {
    case change, revert, undo, restore

    var past: String {
        switch self {
        case .change: "Applied"
        case .revert: "Reverted"
        case .undo: "Undone"
        case .restore: "Restored"
        }
    }
}
