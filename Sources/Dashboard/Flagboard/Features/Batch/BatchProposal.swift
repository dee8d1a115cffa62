import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes

/// Changes to preview and then apply together.
struct BatchProposal: Hashable, Sendable {
    var title: String
    /// In the order to apply them.
    var changes: [Change]
    var origin: HistoryRecord.Origin
    var deed = BatchDeed.change
    /// A path within the dashboard.
    var back: String
    var notes: [String] = []
    var links: [TextLink] = []
    var reason = ""
    /// The requested changes that are left out, with the reasons.
    var leftOut: [ChangePreview] = []
    var moreLeftOut = 0
    /// Flags that somebody else changed since the person last saw them.
    var stale: Set<FlagKeyPath> = []
    /// The places (``BatchRow/place(of:)``) of the changes that the refused form left out.
    var unticked: Set<String> = []
    /// The refused form's confirmation.
    var sent = SentConfirmation.none
    var refusal: ChangeError.Reason?
    /// `nil` if the request behind the changes isn't kept.
    var request: String?
    /// The version of the files behind the changes; `nil` if later changes don't matter.
    var asOf: FilesVersion?

    static let largest = ChoiceForm.most

    /// Returns the changes that have an effect, bound to the previewed revisions.
    func agreed(to previews: [ChangePreview]) -> [Change] {
        zip(changes, previews).compactMap { change, preview in
            guard preview.refusal == nil, !preview.changesNothing else { return nil }
            var change = change
            if preview.provider != nil { change.revisions = change.revisions ?? [FlagRevision(of: preview.before)] }
            return change
        }
    }
}

/// Authenticates changes computed by the dashboard, so that a form can't claim another origin.
struct ProposalSeal: Sendable {
    /// New at each start.
    private let authenticator = TextAuthenticator()

    private static let origins: [HistoryRecord.Origin] = [.import, .revert]

    func text(of changes: String, from origin: HistoryRecord.Origin, for person: String) -> String {
        authenticator.code(of: changes, person, origin.rawValue)
    }

    /// Returns the sealed origin, or `form` without a valid seal.
    func origin(of changes: String, sentBy person: String, under seal: String) -> HistoryRecord.Origin {
        Self.origins.first { authenticator.isCode(seal, of: changes, person, $0.rawValue) } ?? .form
    }
}

struct BatchRequest: Hashable, Sendable {
    let proposal: BatchProposal
    let ticked: [Change]
    /// The hash that the person agreed to (``BatchPage/agreement``).
    let agreement: String
    let confirmation: SentConfirmation
    /// A form sent twice counts once.
    let idempotencyKey: String

    /// - Parameter rows: The numbers of the ticked rows, which count only if the form has the boxes.
    init(
        _ fields: FormFields, rows: [String], sentBy person: String, _ seals: ProposalSeal
    ) throws(RequestError) {
        let request = fields["preview"].flatMap { $0.isEmpty ? nil : $0 }
        let reason = fields["reason"].map(LineEnds.normalized) ?? ""
        guard let text = fields["changes"], let changes = ProposedChanges.changes(in: text, reason: reason),
            let key = fields["idempotency"], (1...200).contains(key.utf8.count)
        else {
            throw RequestError(
                .badRequest, title: "Invalid form",
                message: "The form has no valid changes. Nothing was changed.",
                remedy: "Go back and preview again.")
        }
        let numbers = Set(rows.compactMap { Int($0) })
        let isTicked = { fields["boxes"] == nil || numbers.contains($0) }
        ticked = changes.indices.filter(isTicked).map { changes[$0] }
        proposal = BatchProposal(
            title: fields["title"] ?? "", changes: changes,
            origin: seals.origin(of: text, sentBy: person, under: fields["seal"] ?? ""),
            deed: fields["deed"].flatMap(BatchDeed.init) ?? .change,
            back: LocalPath.checked(fields["back"]), reason: reason,
            unticked: Set(changes.indices.filter { !isTicked($0) }.map { BatchRow.place(of: changes[$0]) }),
            request: request,
            // Without the request, exactly these changes are meant.
            asOf: request.map { _ in FilesVersion(rawValue: fields["asof"] ?? "") })
        agreement = fields["agreement"] ?? ""
        confirmation = SentConfirmation(fields)
        idempotencyKey = key
    }
}

extension Dashboard {
    var proposalSeal: ProposalSeal { states.value { ProposalSeal() } }
}

/// A JSON array with lossless values, for a hidden form field.
enum ProposedChanges {
    static func text(of changes: [Change]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(changes.map(Item.init)), as: UTF8.self)
    }

    static func changes(in text: String, reason: String) -> [Change]? {
        let items: [Item]
        do {
            items = try JSONDecoder().decode([Item].self, from: Data(text.utf8))
        } catch {
            return nil
        }
        guard !items.isEmpty, items.count <= BatchProposal.largest else { return nil }
        let changes = items.compactMap { $0.change(reason) }
        return changes.count == items.count ? changes : nil
    }

    /// Returns the flags that two lists change differently, ignoring reasons.
    static func flags(differingIn changes: [Change], _ others: [Change]) -> Set<FlagKeyPath> {
        let differing = Set(changes.map(Item.init)).symmetricDifference(others.map(Item.init))
        return Set(differing.compactMap { FlagKeyPath(text: $0.key) })
    }

    private struct Item: Codable, Hashable {
        let key: String
        let action: String
        let value: FlagValue?
        let provider: String?
        let revisions: [String]?

        init(_ change: Change) {
            key = change.key.text
            (action, value) = change.action.written
            provider = change.provider
            revisions = change.revisions?.map(\.rawValue)
        }

        func change(_ reason: String) -> Change? {
            guard let key = FlagKeyPath(text: key), let action = Change.Action(name: action, operand: value) else {
                return nil
            }
            var change = Change(key: key, action: action, provider: provider, reason: reason)
            change.revisions = revisions?.map(FlagRevision.init(rawValue:))
            return change
        }
    }
}
