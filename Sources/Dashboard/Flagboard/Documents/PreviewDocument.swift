import FeatureFlags
import FlagChanges

/// What changes would do, or would have done.
struct PreviewDocument: JSONDocument {
    let changes: [Item]

    /// What one change would do, or why it is refused.
    struct Item: JSONDocument {
        let key: String
        let provider: String?
        let before: PlainValue?
        let after: PlainValue?
        let changesNothing: Bool
        /// The parts that would become another kind of value; left out where none would.
        let retyped: [RetypedDocument]?
        /// Left out where the change is allowed.
        let refusal: ProblemDocument?
    }

    init(_ previews: [ChangePreview]) {
        changes = previews.map { preview in
            let value = { (value: FlagValue) in
                PlainValue(value, of: preview.type, isOfDefinition: preview.change.action.isAboutDefinition)
            }
            return Item(
                key: preview.change.key.text, provider: preview.provider, before: preview.before.map(value),
                after: preview.after.map(value), changesNothing: preview.changesNothing,
                retyped: RetypedDocument.list(preview.retyped), refusal: preview.refusal.map { ProblemDocument($0) })
        }
    }
}

/// A part of an array or a dictionary that a change makes another kind of value.
struct RetypedDocument: JSONDocument {
    let path: String
    let before: String
    let after: String
    let isNew: Bool

    /// - Returns: `nil` where there are none.
    static func list(_ parts: [RetypedPart]) -> [RetypedDocument]? {
        parts.isEmpty
            ? nil
            : parts.map {
                RetypedDocument(path: $0.pointer, before: $0.before, after: $0.after, isNew: $0.isNew)
            }
    }
}
