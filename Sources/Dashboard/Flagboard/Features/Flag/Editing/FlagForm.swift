import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes

/// A refused form, shown again.
struct FlagForm: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        case value, file, reason, confirmation, form
    }

    /// `nil` if none was sent.
    var value: String?
    /// A picked time that doesn't exist.
    var picked: PickedTime?
    var reason: String
    /// `nil` if none was sent.
    var provider: String?
    /// `nil` for the current one.
    var revision: String?
    var isReset: Bool
    var problem: String
    var place: Place
    /// A form that may succeed later stays even if nothing can be changed now.
    var mayBeRepeated: Bool
    var conflict: Conflict?
    var confirmation = SentConfirmation.none
    var refusal: ChangeError.Reason?
    /// What is missing had no field in the form that was sent, so that asking for it is no refusal.
    var isAsking = false
    var isOfLock = false
    var isInLock: Bool { isOfLock && [.reason, .confirmation].contains(place) }

    struct Conflict: Hashable, Sendable {
        /// The value that the form started from; `nil` if it is no longer known.
        var base: Base?
        var setBy: TimedText?

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

    /// Input that no field can hold, to copy.
    var typed: [TypedValue] {
        TypedValue.all(value: value, reason: reason)
    }
}

struct ConflictRow: Hashable, PagePart {
    let label: String
    let shown: ShownValue?
    let note: TimedText?

    static func rows(
        _ form: FlagForm, _ conflict: FlagForm.Conflict, stored: FlagValue?, _ definition: FlagDefinition,
        resetWords: String
    ) -> [ConflictRow] {
        let yours =
            form.isReset
            ? ConflictRow(label: "Yours", shown: nil, note: TimedText(before: resetWords))
            : ConflictRow(label: "Yours", shown: shown(form.value, definition), note: nil)
        return (conflict.base.map { [ConflictRow(label: "Original", $0.value)] } ?? [])
            + [ConflictRow(label: "Current", stored, note: conflict.setBy), yours]
    }

    private init(label: String, shown: ShownValue?, note: TimedText?) {
        self.label = label
        self.shown = shown
        self.note = note
    }

    private init(label: String, _ value: FlagValue?, note: TimedText? = nil) {
        self.init(label: label, shown: ShownValue(value), note: note?.inParentheses)
    }

    /// The value that the text means, or the text itself if it is invalid.
    private static func shown(_ typed: String?, _ definition: FlagDefinition) -> ShownValue? {
        typed.map { text in
            switch Result(catching: { try definition.parse(text) }) {
            case .success(let value): ShownValue(value)
            case .failure: ShownValue(.string(text))
            }
        }
    }
}

struct FlagFormProblem {
    let status: HTTPResponse.Status
    let form: FlagForm

    /// Rethrows anything but a refusal.
    init(_ error: any Error, _ edit: FlagRequest, _ entry: FlagEntry, now: Date) throws {
        var form = FlagForm(
            value: edit.typedValue, reason: edit.reason, provider: edit.provider, revision: edit.revision?.rawValue,
            isReset: edit.action == .reset, problem: "")
        form.picked = edit.missingTime
        form.confirmation = edit.confirmation
        form.isOfLock = edit.action == .lock || edit.action == .unlock
        switch error {
        case let error as FormError<FlagForm.Place>:
            status = error.status
            form.problem = error.text
            form.place = error.place ?? .form
        case let refusal as ChangeError:
            status = refusal.status
            form.problem = "\(refusal.description.asSentence) \(refusal.remedy.asSentence)"
            form.refusal = refusal.reason
            form.isAsking = refusal.reason.isOfEnvironment && !edit.hasReasonField
            switch refusal.reason {
            case .invalid: form.place = edit.action == .set ? .value : .form
            case .conflict(let conflict):
                form.place = .form
                form.problem =
                    "This flag changed while you were editing. Choose which value to keep."
                form.conflict = Self.shown(conflict, entry, now: now)
                // The next attempt may replace the other value only after the page has shown it.
                form.revision = nil
            case .reasonTooLong: form.place = .reason
            case .reasonRequired:
                form.place = .reason
                form.problem = refusal.description
            case .confirmationRequired:
                form.place = .confirmation
                form.problem = refusal.description
            case .unavailable, .full:
                form.place = .form
                form.mayBeRepeated = true
            case .notAllowed, .unknown, .unknownProvider, .locked, .keyReused: form.place = .form
            }
        default: throw error
        }
        self.form = form
    }

    /// Names the author only if the conflict is about the current value.
    private static func shown(_ conflict: ChangeConflict, _ entry: FlagEntry, now: Date) -> FlagForm.Conflict {
        let isCurrent = FlagRevision(of: conflict.theirs.value) == entry.revisions[conflict.provider]
        return FlagForm.Conflict(
            base: conflict.base.map { FlagForm.Conflict.Base(value: $0.value) },
            setBy: isCurrent ? conflict.theirs.record.map { words($0.event, now: now) } : nil)
    }

    private static func words(_ event: HistoryEvent, now: Date) -> TimedText {
        let deed =
            switch event.kind {
            case .external: "changed outside Flagboard, detected "
            case .reset: "reset by \(event.actor) "
            default: "set by \(event.actor) "
            }
        return TimedText(deed, event.at, now: now)
    }
}
