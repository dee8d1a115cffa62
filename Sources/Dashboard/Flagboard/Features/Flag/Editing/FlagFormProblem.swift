import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes

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
