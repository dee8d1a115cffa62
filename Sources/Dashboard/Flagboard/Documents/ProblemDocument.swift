import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// The reason for a refused request, as in RFC 9457.
struct ProblemDocument: JSONDocument {
    let type = "about:blank"
    let code: ProblemCode
    let title: String
    let status: Int
    let detail: String
    let remedy: String
    let key: String?
    /// Keyed by field of the definition.
    let problems: [String: String]?
    let conflict: Conflict?
    let changes: [PreviewDocument.Item]?

    struct Conflict: JSONDocument {
        let provider: String
        /// The value the request was based on; omitted if the history doesn't have it.
        let base: Version?
        let theirs: Version
        /// The requested value; omitted for a reset.
        let yours: PlainValue?
        /// The revision of `theirs`.
        let revision: String
    }

    struct Version: JSONDocument {
        /// Omitted for no value.
        let value: PlainValue?
        /// The history row that wrote the value; omitted if unknown.
        let change: ChangeDocument?
    }
}

extension ProblemDocument {
    init(_ refusal: ChangeError, changes: [ChangePreview] = []) {
        code = refusal.code
        title = refusal.title
        // A conflict is 409 for a form; under `If-Match`, it is a failed precondition.
        status = refusal.conflict == nil ? refusal.status.code : 412
        detail = refusal.description.withoutIsolates
        remedy = refusal.remedy.withoutIsolates
        key = refusal.key?.text
        problems = refusal.problems.isEmpty ? nil : refusal.problems
        conflict = refusal.conflict.map(Conflict.init)
        self.changes = changes.isEmpty ? nil : PreviewDocument(changes).changes
    }
}

extension ProblemDocument.Conflict {
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
