import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes

/// What a person typed into a flag's form that was refused, to show it again with what is wrong.
struct FlagForm: Hashable, Sendable {
    /// Which part of the form a refusal is about.
    enum Place: Hashable, Sendable {
        case value, file, reason, form
    }

    /// The value as typed; `nil` where none was sent.
    var value: String?
    /// The time that was picked, where there is none of it.
    var picked: PickedTime?
    /// The reason as typed.
    var reason: String
    /// The provider that the form was for; `nil` where none was sent.
    var provider: String?
    /// The revision to base the next attempt on; `nil` for the one that is current.
    var revision: String?
    /// Whether the form asked for a reset.
    var isReset: Bool
    /// Why it was refused, in sentences.
    var problem: String
    /// What is at fault.
    var place: Place
    /// Whether the same form may be taken later, so that it is worth showing where nothing can be changed now.
    var mayBeRepeated: Bool
    /// The value that the form started from, where the flag was changed meanwhile.
    var conflict: Conflict?

    /// What a person must know to decide between their change and another person's.
    struct Conflict: Hashable, Sendable {
        /// The value that the form started from; `nil` where that can't be found out any more.
        var base: Base?
        /// Who set the value that is there now, and when.
        var setBy: TimedText?

        /// A stored value, or that there was none.
        struct Base: Hashable, Sendable {
            let value: FlagValue?
        }
    }

    init(
        value: String? = nil, reason: String = "", provider: String? = nil, revision: String? = nil,
        isReset: Bool = false, problem: String, place: Place = .value, mayBeRepeated: Bool = false,
        conflict: Conflict? = nil
    ) {
        self.value = value
        self.reason = reason
        self.provider = provider
        self.revision = revision
        self.isReset = isReset
        self.problem = problem
        self.place = place
        self.mayBeRepeated = mayBeRepeated
        self.conflict = conflict
    }

    /// What was typed, to be copied where no field can hold it.
    var typed: [TypedValue] {
        TypedValue.all(value: value, reason: reason)
    }
}

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

/// Why a flag's form was refused, as its page is to show it.
struct FlagFormProblem {
    let status: HTTPResponse.Status
    let form: FlagForm

    /// Puts a refusal into the form that it is about.
    ///
    /// - Throws: `error` itself where it is no refusal.
    init(_ error: any Error, _ edit: FlagRequest, _ entry: FlagEntry, now: Date) throws {
        var form = FlagForm(
            value: edit.typedValue, reason: edit.reason, provider: edit.provider, revision: edit.revision?.rawValue,
            isReset: edit.action == .reset, problem: "")
        form.picked = edit.missingTime
        switch error {
        case let error as FlagRequestError:
            status = if case .textTooLarge = error { .contentTooLarge } else { .unprocessableContent }
            form.problem = error.description
            form.place = error.place
        case let refusal as ChangeError:
            status = refusal.status
            form.problem = "\(refusal.description.asSentence) \(refusal.remedy.asSentence)"
            switch refusal.reason {
            case .invalid: form.place = edit.action == .set ? .value : .form
            case .conflict(let conflict):
                form.place = .form
                form.problem =
                    "Somebody else changed this flag while you were editing. Look at the value it has now; "
                    + "then keep it, or apply yours."
                form.conflict = Self.shown(conflict, entry, now: now)
                // Only the page that shows the other value may let the next attempt replace it.
                form.revision = nil
            case .reasonTooLong: form.place = .reason
            case .unavailable, .full:
                form.place = .form
                form.mayBeRepeated = true
            case .notAllowed, .unknown, .locked, .keyReused: form.place = .form
            }
        default: throw error
        }
        self.form = form
    }

    /// What the form shows of both values; who set the one that is there now, as far as that is still the one.
    private static func shown(_ conflict: ChangeConflict, _ entry: FlagEntry, now: Date) -> FlagForm.Conflict {
        let isCurrent = FlagRevision(of: conflict.theirs.value) == entry.revisions[conflict.provider]
        return FlagForm.Conflict(
            base: conflict.base.map { FlagForm.Conflict.Base(value: $0.value) },
            setBy: isCurrent ? conflict.theirs.record.map { words($0.event, now: now) } : nil)
    }

    private static func words(_ event: HistoryEvent, now: Date) -> TimedText {
        let deed =
            switch event.kind {
            case .external: "changed outside Flagboard, noticed "
            case .reset: "reset by \(event.actor) "
            default: "set by \(event.actor) "
            }
        return TimedText(deed, event.at, now: now)
    }
}
