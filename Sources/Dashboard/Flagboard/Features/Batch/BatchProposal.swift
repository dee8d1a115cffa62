import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes

/// Changes that a person is to look at before they are made together.
struct BatchProposal: Hashable, Sendable {
    /// What the changes are for, as the page's heading.
    var title: String
    /// The changes, in the order in which they are to be made.
    var changes: [Change]
    /// Which way they came in.
    var origin: HistoryRecord.Origin
    /// Where the person goes who does not want them: an address within the dashboard.
    var back: String
    /// What else is to be known before, in sentences.
    var notes: [String] = []
    /// Where to look for what the notes tell of.
    var links: [TextLink] = []
    /// Why, as far as that is known; the person may say it otherwise.
    var reason = ""
    /// What was asked for and is not among the changes, with why.
    var leftOut: [ChangePreview] = []
    /// How many more are left out than ``leftOut`` tells of.
    var moreLeftOut = 0
    /// The flags that another person changed since the person last looked.
    var stale: Set<FlagKeyPath> = []
    /// What the request is kept as that the changes were worked out from; `nil` where it isn't kept.
    var request: String?
    /// What the files held when they were worked out; `nil` where it doesn't matter what was changed since.
    var asOf: FilesVersion?

    /// How many changes there may be.
    static let largest = 10_000

    /// What is left to make of the proposal where a person agrees to what a preview says: the changes that are allowed and
    /// change something, each for the state that the preview saw it in.
    func agreed(to previews: [ChangePreview]) -> [Change] {
        zip(changes, previews).compactMap { change, preview in
            guard preview.refusal == nil, !preview.changesNothing else { return nil }
            var change = change
            if preview.provider != nil { change.revisions = change.revisions ?? [FlagRevision(of: preview.before)] }
            return change
        }
    }
}

/// Why a form comes to no changes that could be proposed.
struct EmptyProposalError: Error {
    let status: HTTPResponse.Status
    /// What is wrong and what to do, in sentences.
    let text: String
}
