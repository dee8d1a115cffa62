import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

struct DefinitionRequest {
    private let fields: FormFields
    private let stored: StoredDefinition

    init(_ fields: FormFields, _ stored: StoredDefinition) {
        self.fields = fields
        self.stored = stored
    }

    private var deed: DefinitionPage.Deed? { DefinitionPage.Deed(rawValue: fields["action"] ?? "") }

    /// The problems of the form's fields, by their names.
    typealias Problems = [String: String]

    func change(of key: FlagKeyPath) throws(FormError<Problems>) -> Change {
        let revision = fields["revision"].flatMap { $0.isEmpty ? nil : FlagRevision(rawValue: $0) }
        let given = fields["reason"].map(LineEnds.normalized) ?? ""
        let reason = deed == .retire && given.isEmpty ? LineEnds.normalized(fields["retired"] ?? "") : given
        return Change(key: key, action: try action(key), revision: revision, reason: reason)
    }

    private func action(_ key: FlagKeyPath) throws(FormError<Problems>) -> Change.Action {
        switch deed {
        case .save:
            var form = DefinitionForm(fields)
            guard let definition = form.definition(of: key, basedOn: stored.definition) else {
                throw FormError(DefinitionForm.fieldsProblem, at: form.problems)
            }
            return .redefine(DefinitionEdit(definition, breaksValues: form.isChecked("breaksValues")))
        case .rename:
            let text = (fields["newKey"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.isEmpty, let new = FlagKeyPath(text: text) else {
                throw FormError(DefinitionForm.keyProblem)
            }
            guard new != key else {
                throw FormError("The flag already has this key path. Enter a different one.")
            }
            return .rename(new)
        case .retire: return .retire(LineEnds.normalized(fields["retired"] ?? ""))
        case .restore: return .retire(nil)
        case .delete:
            guard fields["confirmation"] == key.text else {
                throw FormError("Type \(key.shownText) exactly to confirm.")
            }
            return .remove(withValues: fields["keepValues"] == nil)
        case nil: throw FormError("Unknown action. Use one of the buttons on this page.")
        }
    }

    struct Problem {
        var form: DefinitionForm?
        var isConflict = false
        var other: DefinitionPage.Refused?
    }

    func refused(_ error: ChangeError) -> Problem {
        guard let deed, deed != .save else {
            var form = DefinitionForm(fields)
            form.take(error)
            if let conflict = error.conflict, let base = Self.form(conflict.base),
                let theirs = Self.form(conflict.theirs)
            {
                form = form.keeping(theirs, basedOn: base)
            }
            return Problem(form: form, isConflict: error.conflict != nil)
        }
        let problem =
            error.reason.isOfEnvironment
            ? error.description : "\(error.description.asSentence) \(error.remedy.asSentence)"
        return Problem(
            other: DefinitionPage.Refused(
                deed: deed, fields: fields, problem: problem, keyProblem: error.problems["key"],
                refusal: error.reason))
    }

    private static func form(_ version: ChangeConflict.Version?) -> DefinitionForm? {
        guard case .dictionary(let entry)? = version?.value else { return nil }
        return FlagDefinition(manifestEntry: entry).map { DefinitionForm($0) }
    }

    func refused(_ error: FormError<Problems>) -> Problem {
        guard let deed, deed != .save else {
            var form = DefinitionForm(fields)
            if let problems = error.place { form.problems = problems }
            form.problem = error.text
            return Problem(form: form)
        }
        return Problem(other: DefinitionPage.Refused(deed: deed, fields: fields, problem: error.text))
    }
}

extension DefinitionForm {
    static let fieldsProblem = "Fix the errors below:"
    static let keyProblem =
        "Enter a key path like checkout/new_button, with at most \(FlagKeyPath.maximumCount) parts."

    mutating func take(_ refusal: ChangeError) {
        self.refusal = refusal.reason
        guard !refusal.reason.isOfEnvironment else {
            problem = refusal.description
            return
        }
        problems.merge(refusal.problems.mapValues(\.asSentence)) { _, new in new }
        problem =
            refusal.problems.isEmpty
            ? "\(refusal.description.asSentence) \(refusal.remedy.asSentence)" : DefinitionForm.fieldsProblem
        if refusal.conflict != nil {
            let isBaseKnown = refusal.conflict?.base != nil
            problem =
                "This definition changed while you were editing. "
                + (isBaseKnown
                    ? "Fields you didn’t touch now show the new content. Save again to overwrite the fields listed below."
                    : "Save again to overwrite the fields listed below.")
        }
        let shown = DefinitionSection.all(self).flatMap(\.fields).map(\.name) + ["key"]
        let unshown = refusal.problems.filter { !shown.contains($0.key) }.map { "\($0.key): \($0.value)" }.sorted()
        if !unshown.isEmpty { problem = "\(problem ?? "") \(unshown.joined(separator: " "))" }
    }
}
