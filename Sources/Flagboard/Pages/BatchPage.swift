import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// What several changes would do, with the form that makes them.
struct BatchPage: PageModel {
    static let template = "batch"

    let frame: PageFrame
    let title: String
    /// How many there are of each sort, in a sentence.
    let countText: String
    let notes: [String]
    let hasNotes: Bool
    /// Where to look for what the notes tell of.
    let links: [TextLink]
    let hasLinks: Bool
    /// That nothing was changed, where the form was sent and refused.
    let refusal: String?
    let rows: [BatchRow]
    /// Whether there is anything to make.
    let canApply: Bool
    let changes: String
    let origin: String
    let back: String
    let idempotencyKey: String
    let reason: String
    let reasonLimit: Int
    /// What the button makes: `all`, or those that are `allowed`.
    let extent: String
    let allowedCount: Int
    let applyLabel: String
    let applyNote: String

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - proposal: The changes.
    ///   - previews: What each would do.
    ///   - view: The flags, for their names.
    ///   - isRefused: Whether the form was sent, and not carried out.
    /// - Throws: What of the changes can't travel in a form.
    init(
        frame: PageFrame, proposal: BatchProposal, previews: [ChangePreview], view: CatalogueView,
        isRefused: Bool = false
    ) throws {
        let title = proposal.title.isEmpty ? "Changes" : proposal.title
        let refused = previews.count { $0.refusal != nil }
        let idle = previews.count(where: \.changesNothing)
        let allowed = previews.count - refused - idle
        self.frame = frame.titled(title, in: nil)
        self.title = title
        countText = Self.countText(allowed: allowed, refused: refused, idle: idle)
        notes = proposal.notes
        hasNotes = !proposal.notes.isEmpty
        links = proposal.links
        hasLinks = !proposal.links.isEmpty
        refusal =
            isRefused
            ? "Nothing was changed: since you looked, the flags have changed, or what you may do. Look at it anew."
            : nil
        rows = previews.map { BatchRow($0, in: view) }
        canApply = allowed > 0
        changes = try ProposedChanges.text(of: proposal.changes)
        origin = proposal.origin.rawValue
        back = proposal.back
        idempotencyKey = UUID().uuidString
        reason = proposal.reason
        reasonLimit = Change.longestReason
        extent = refused == 0 ? "all" : "allowed"
        allowedCount = allowed
        let noun = allowed == 1 ? "the change" : "all \(allowed) changes"
        applyLabel =
            refused == 0
            ? "Apply \(noun)" : "Apply the \(allowed) that \(allowed == 1 ? "is" : "are") allowed"
        applyNote =
            "They are made together, all or none, and stand in the history as one."
            + (refused == 0
                ? ""
                : " The \(refused) that \(refused == 1 ? "is" : "are") refused \(refused == 1 ? "is" : "are") left out.")
    }

    private static func countText(allowed: Int, refused: Int, idle: Int) -> String {
        var parts = [allowed == 1 ? "1 change" : "\(allowed) changes"]
        if refused > 0 { parts.append("\(refused) refused") }
        if idle > 0 { parts.append("\(idle) already so") }
        return parts.joined(separator: ", ")
    }
}
