import FeatureFlags
import FlagChanges

/// What changes would do, or would have done.
struct PreviewDocument: Encodable {
    let changes: [Item]

    /// What one change would do, or why it is refused.
    struct Item: Encodable {
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
            Item(
                key: preview.change.key.text, provider: preview.provider, before: preview.before.map(PlainValue.init),
                after: preview.after.map(PlainValue.init), changesNothing: preview.changesNothing,
                refusal: preview.refusal.map { ProblemDocument($0) })
        }
    }
}
