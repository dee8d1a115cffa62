import FeatureFlags
import FlagChanges

/// What changes would do, or would have done.
struct PreviewDocument {
    let changes: [Item]

    /// What one change would do, or why it is refused.
    struct Item {
        let key: String
        let provider: String?
        let before: PlainValue?
        let after: PlainValue?
        let changesNothing: Bool
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
                refusal: preview.refusal.map { ProblemDocument($0) })
        }
    }
}

extension PreviewDocument: JSONDocument {
    static let members: JSONMembers<Self> = ["changes": .of(\.changes)]
}

extension PreviewDocument.Item: JSONDocument {
    static let members: JSONMembers<Self> = [
        "key": .of(\.key), "provider": .of(\.provider), "before": .of(\.before), "after": .of(\.after),
        "changesNothing": .of(\.changesNothing), "refusal": .of(\.refusal),
    ]
}
