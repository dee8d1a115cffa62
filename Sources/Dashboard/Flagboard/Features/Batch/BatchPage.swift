import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct BatchPage: PageModel {
    static let template = "batch"

    let frame: PageFrame
    let title: String
    let countText: String
    let notes: [String]
    let links: [TextLink]
    /// The reason for the refusal of the form.
    let refusal: String?
    /// The title takes the focus where nothing has to be corrected.
    let focusesTitle: Bool
    let rows: [BatchRow]
    let hasBoxes: Bool
    let moreLeftOut: String?
    let canApply: Bool
    let changes: String
    /// The version of the files behind the preview; empty when later changes don't matter.
    let asOf: String
    /// A hash of the changes that the page states, which the person agrees to.
    let agreement: String
    /// An authenticator that proves the changes and their origin come from this dashboard.
    let seal: String
    let deed: String
    let back: String
    /// The ID of the kept request.
    let request: String?
    /// The page that computes the changes again; `nil` if the request isn't kept.
    let againHref: String?
    let idempotencyKey: String
    let reason: String
    let reasonLimit: Int
    let isReasonRequired: Bool
    let reasonProblem: String?
    let confirmation: ChangeDemand.Confirmation?
    let applyLabel: String
    let applyNote: String?
    let describedBy: String?
    let needsRestart: Bool
    let refusedNote: String?

    private static let mostLeftOut = 200
    private static let togetherNote = "Applied together as one batch."

    init(
        frame: PageFrame, proposal: BatchProposal, previews: [ChangePreview], view: CatalogueView,
        isRefused: Bool = false, seal: (String) -> String
    ) throws {
        let title = proposal.title.isEmpty ? "Changes" : proposal.title
        let refused = previews.count { $0.refusal != nil }
        let idle = previews.count(where: \.changesNothing)
        let allowed = previews.count - refused - idle
        let redefined = Set(proposal.changes.filter(\.action.isRedefining).map(\.key))
        self.frame = frame.titled(title, in: nil)
        self.title = title
        countText = Self.countText(
            allowed: allowed, refused: refused, idle: idle, leftOut: proposal.leftOut.count + proposal.moreLeftOut)
        notes = proposal.notes
        links = proposal.links
        let isIncomplete = proposal.refusal?.isOfEnvironment == true
        focusesTitle = !isRefused
        let agreed = proposal.agreed(to: previews)
        let isNoneTicked = agreed.allSatisfy { proposal.unticked.contains(BatchRow.place(of: $0)) }
        if allowed > 0, isNoneTicked {
            refusal = "Select at least one change. Nothing was changed."
        } else {
            refusal = isRefused && !isIncomplete ? Self.refusal(proposal, canApply: allowed > 0) : nil
        }
        let demand = ChangeDemand(
            view.environments, changing: previews.filter { $0.refusal == nil }.map(\.provider), sent: proposal.sent,
            refusal: proposal.refusal)
        (isReasonRequired, confirmation) = (demand.isReasonRequired, demand.confirmation)
        reasonProblem = proposal.refusal == .reasonRequired ? "This change needs a reason." : nil
        let held = previews.held
        let waiting = previews.flagsWaitingForRestart(in: view)
        let previewed = previews.map {
            BatchRow(
                $0, in: view, isStale: proposal.stale.contains($0.change.key),
                isTicked: !proposal.unticked.contains(BatchRow.place(of: $0.change)),
                isRedefined: redefined.contains($0.change.key),
                waitsForRestart: $0.changesValue && waiting.contains($0.change.key),
                amid: held[$0.change.key] ?? [:])
        }
        let all =
            previewed
            + proposal.leftOut.prefix(Self.mostLeftOut).map {
                BatchRow($0, in: view, isStale: proposal.stale.contains($0.change.key), isLeftOut: true)
            }
        rows = Self.numbered(all.filter { $0.sort == "change" }) + all.filter { $0.sort != "change" }
        hasBoxes = rows.contains { $0.row != nil }
        let more = max(0, proposal.leftOut.count - Self.mostLeftOut) + proposal.moreLeftOut
        moreLeftOut = more > 0 ? "\(more) more skipped." : nil
        canApply = allowed > 0
        changes = try ProposedChanges.text(of: agreed)
        asOf = proposal.asOf?.rawValue ?? ""
        agreement = Self.agreement(changes: changes, zip(previews, previewed))
        self.seal = seal(changes)
        deed = proposal.deed.rawValue
        back = proposal.back
        request = proposal.request
        againHref = proposal.request.map(PageLink.preview)
        idempotencyKey = UUID().uuidString
        reason = proposal.reason
        reasonLimit = Change.longestReason
        needsRestart = previews.contains { $0.changesValue && waiting.contains($0.change.key) }
        if refused == 0 {
            applyLabel = allowed == 1 ? "Apply change" : "Apply \(allowed) changes"
            applyNote = allowed == 1 ? nil : Self.togetherNote
            refusedNote = nil
        } else {
            applyLabel = "Apply \(allowed == 1 ? "1 change" : "\(allowed) changes"), skip \(refused)"
            applyNote = allowed == 1 ? nil : Self.togetherNote
            refusedNote =
                allowed == 0
                ? nil
                : "\(refused) of \(previews.count) changes can’t be applied. Fix \(refused == 1 ? "it or skip it" : "them or skip them")."
        }
        describedBy = Self.describedBy(refusedNote, applyNote)
    }

    /// Numbers the rows by their changes in the form, unless there is only one.
    private static func numbered(_ rows: [BatchRow]) -> [BatchRow] {
        guard rows.count > 1 else { return rows }
        return rows.enumerated().map { number, row in
            var row = row
            row.row = number
            return row
        }
    }

    private static func describedBy(_ refusedNote: String?, _ applyNote: String?) -> String? {
        let notes = [refusedNote.map { _ in "refused-note" }, applyNote.map { _ in "apply-note" }].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: " ")
    }

    private static func agreement(changes: String, _ rows: some Sequence<(ChangePreview, BatchRow)>) -> String {
        let said = rows.filter { $1.sort == "change" }.map { $1.agreement(in: $0.provider) }
        return ContentHash.sha256(Data(([changes] + said).joined(separator: "\u{0}").utf8)).prefix(16).hexadecimal
    }

    private static func refusal(_ proposal: BatchProposal, canApply: Bool) -> String {
        // The reasons stand in the rows, and may be older than this page.
        if proposal.origin == .revert, !canApply { return "Nothing was changed." }
        guard proposal.request != nil else {
            // Without the request, it is unknown whether the flags changed.
            return "This preview has expired. Nothing was changed. "
                + (canApply ? "Go back and preview again, or apply the changes below." : "Go back and preview again.")
        }
        return
            "The flags or your permissions changed since this preview. Nothing was changed. The preview below is up to "
            + "date\(canApply ? ": review it, then apply." : ".")"
    }

    private static func countText(allowed: Int, refused: Int, idle: Int, leftOut: Int) -> String {
        var parts = [allowed == 1 ? "1 change" : "\(allowed) changes"]
        if idle > 0 { parts.append("\(idle) unchanged") }
        if refused > 0 { parts.append(refused == 1 ? "1 error" : "\(refused) errors") }
        if leftOut > 0 { parts.append("\(leftOut) skipped") }
        return parts.joined(separator: ", ")
    }
}

extension Change.Action {
    /// `true` for changes beyond the lock and the tags.
    fileprivate var isRedefining: Bool {
        switch self {
        case .definition(.remove), .definition(.rename): true
        case .definition(let change): change.edit != nil
        case .value, .note: false
        }
    }
}

struct LeftOutValue {
    let before: FlagValue?
    let asked: FlagValue?

    /// The longest value in a link, in bytes.
    private static let longestInAddress = 2_000

    /// `nil` for a change of a definition.
    init?(_ preview: ChangePreview, _ entry: FlagEntry?) {
        guard let provider = preview.provider, !preview.change.action.isAboutDefinition else { return nil }
        let held = entry?.resolution[provider]?.stored
        before = held
        asked =
            entry.map { preview.change.asked($0.definition, replacing: held) }
            ?? preview.change.action.written.operand
    }

    /// Returns the link to define a missing flag, or `nil` for any other refusal.
    func defineLink(of key: FlagKeyPath, _ refusal: ChangeError?, in view: CatalogueView) -> TextLink? {
        guard refusal?.reason == .unknown, let asked, DefinitionLink.canDefine(view) else { return nil }
        let type = FlagType(inferredFrom: asked)
        let text = FlagDefinition(key: key, type: type).editableText(of: asked)
        let fallback = text.utf8.count <= Self.longestInAddress ? text : ""
        return TextLink(label: "Define it", href: PageLink.newDefinition(of: key, type, default: fallback))
    }
}
