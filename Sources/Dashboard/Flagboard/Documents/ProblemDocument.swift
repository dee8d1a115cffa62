import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// Why a request was refused, as RFC 9457 has machines told.
struct ProblemDocument: JSONDocument {
    let type = "about:blank"
    /// Why, in a word that stays the same.
    let code: ProblemCode
    let title: String
    let status: Int
    let detail: String
    let remedy: String
    let key: String?
    /// What is wrong with each field of a definition, by the field's name.
    let problems: [String: String]?
    let conflict: Conflict?
    /// Of a batch: what each change would have done, or why it is refused.
    let changes: [PreviewDocument.Item]?

    /// What changed meanwhile: to look at before the change is made again.
    struct Conflict: JSONDocument {
        let provider: String
        /// What the change was based on; left out where the history doesn't know it.
        let base: Version?
        /// What the provider holds now.
        let theirs: Version
        /// What was asked for; left out for a reset.
        let yours: PlainValue?
        /// The revision of `theirs`.
        let revision: String
    }

    /// A value that the provider held at some time.
    struct Version: JSONDocument {
        /// Left out where it held none.
        let value: PlainValue?
        /// The row of the history by which it came there; left out where none is known.
        let change: ChangeDocument?
    }
}

extension ProblemDocument {
    /// Tells of a refusal of the change service.
    init(_ refusal: ChangeError, changes: [ChangePreview] = []) {
        code = refusal.code
        title = refusal.title
        // What is a form's conflict (409) is a precondition that failed where `If-Match` stated it.
        status = refusal.conflict == nil ? refusal.status.code : 412
        detail = refusal.description
        remedy = refusal.remedy
        key = refusal.key?.text
        problems = refusal.problems.isEmpty ? nil : refusal.problems
        conflict = refusal.conflict.map(Conflict.init)
        self.changes = changes.isEmpty ? nil : PreviewDocument(changes).changes
    }
}

extension ProblemDocument.Conflict {
    /// Tells of a conflict.
    init(_ conflict: ChangeConflict) {
        provider = conflict.provider
        base = conflict.base.map { ProblemDocument.Version($0, in: conflict) }
        theirs = ProblemDocument.Version(conflict.theirs, in: conflict)
        yours = conflict.yours.map {
            PlainValue($0, of: conflict.type, isOfDefinition: conflict.isOfDefinition)
        }
        revision = FlagRevision(of: conflict.theirs.value).rawValue
    }
}

extension ProblemDocument.Version {
    fileprivate init(_ version: ChangeConflict.Version, in conflict: ChangeConflict) {
        value = version.value.map {
            PlainValue($0, of: conflict.type, isOfDefinition: conflict.isOfDefinition)
        }
        change = version.record.map { ChangeDocument($0) }
    }
}
