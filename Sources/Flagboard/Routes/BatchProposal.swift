import FeatureFlags
import FlagChanges
import FlagHistory

/// Changes that a person is to look at before they are made together.
struct BatchProposal: Hashable, Sendable {
    /// What the changes are for, as the page's heading.
    var title: String
    /// The changes, in the order in which they are to be made.
    var changes: [Change]
    /// What the flags must hold that were to be changed too and are already so.
    var expectations: [ValueExpectation] = []
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
    /// The flags that somebody else changed since the person last looked.
    var stale: Set<FlagKeyPath> = []
    /// What the request is kept as that the changes were worked out from; `nil` where it isn't kept.
    var request: String?

    /// How many changes there may be.
    static let largest = 10_000

    /// How many flags are named that stay as they are.
    private static let mostNamed = 20

    /// The proposal where nobody knows any more what was asked for: flags that were as wanted, and are something else now,
    /// stay that, and are named.
    func leaving(_ overlooked: [FlagKeyPath]) -> BatchProposal {
        var proposal = self
        let changed = Set(overlooked)
        proposal.expectations.removeAll { changed.contains($0.key) }
        proposal.notes += overlooked.prefix(Self.mostNamed).map { key in
            "\(key.shownText) was changed since you looked, and stays as it is now: it is not among these changes."
        }
        let more = overlooked.count - Self.mostNamed
        if more > 0 { proposal.notes.append("So do \(more) more.") }
        return proposal
    }

    /// What is left to make of the proposal where a person agrees to what a preview says: the changes that are allowed and
    /// change something, each for the state that the preview saw it in.
    ///
    /// A value that was so already, and not by another of the changes, is expected to be so still.
    func agreed(to previews: [ChangePreview]) -> BatchProposal {
        var proposal = self
        proposal.changes = []
        var (changed, around): (Set<FlagKeyPath>, Set<FlagKeyPath>) = ([], [])
        for (var change, preview) in zip(changes, previews) where preview.refusal == nil {
            let key = change.key
            let seen = preview.provider.map { provider in
                ValueExpectation(key: key, provider: provider, revision: FlagRevision(of: preview.before))
            }
            if !preview.changesNothing {
                change.revisions = change.revisions ?? seen.map { [$0.revision] }
                proposal.changes.append(change)
                changed.insert(key)
                around.formUnion(key.ancestors)
            } else if let seen, !around.contains(key), !changed.contains(key), changed.isDisjoint(with: key.ancestors) {
                proposal.expectations.append(seen)
            }
        }
        return proposal
    }
}
