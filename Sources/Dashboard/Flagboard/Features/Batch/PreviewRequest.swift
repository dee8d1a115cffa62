import FeatureFlags
import FlagChanges

/// What a person wants to look at before it is done, as it was asked for.
///
/// The changes are worked out from it each time that it is shown, so that they are those of that moment.
enum PreviewRequest: Hashable, Sendable {
    /// Something done to the flags that were ticked in the list.
    case selection(Selection)
    /// Values copied from one side of a comparison to the other.
    case copy(ChoiceForm)
    /// Values copied from one environment to another.
    case environments(ChoiceForm)
    /// Values of a time in the past.
    case restoration(ChoiceForm)
    /// Values that come from elsewhere.
    case importing(ImportRequest)
    /// A change, or all of its batch, taken back.
    case revert(change: Int64, RevertRequest)
    /// A version of a merge chosen at a flag.
    case settlement(Change)

    /// About how many bytes it takes to remember.
    var size: Int {
        switch self {
        case .selection(let choice): choice.keys.reduce(choice.value.utf8.count) { $0 + $1.text.utf8.count }
        case .copy(let form), .environments(let form), .restoration(let form):
            form.keys.reduce(0) { $0 + $1.text.utf8.count }
        case .importing(let form): form.text.utf8.count + (form.file?.count ?? 0)
        case .revert(_, let wish): wish.reason.utf8.count
        case .settlement(let change): change.reason.utf8.count
        }
    }
}

/// Why there is nothing to look at.
struct EmptyPreviewError: Error, Hashable {
    /// What was asked for, as a heading.
    let title: String
    /// What is wrong or why there is nothing to do, in sentences.
    let notes: [String]
    /// Where it was asked for: an address within the dashboard.
    let back: String
}
