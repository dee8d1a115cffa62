import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
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
    static let largest = ChoiceForm.most

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

/// What tells changes that were worked out here from those that another put into a form: only of the former is it known
/// which way they came in.
struct ProposalSeal: Sendable {
    /// It has another key each time that the dashboard starts.
    private let authenticator = TextAuthenticator()

    /// The ways in which only the dashboard says that changes come in.
    private static let origins: [HistoryRecord.Origin] = [.import, .revert]

    /// What the page of changes holds beside them.
    func text(of changes: String, from origin: HistoryRecord.Origin, for person: String) -> String {
        authenticator.code(of: changes, person, origin.rawValue)
    }

    /// Which way the changes of a form came in.
    ///
    /// - Returns: The origin that they were sealed with, else `form`: all that is known then is that a form was sent.
    func origin(of changes: String, sentBy person: String, under seal: String) -> HistoryRecord.Origin {
        Self.origins.first { authenticator.isCode(seal, of: changes, person, $0.rawValue) } ?? .form
    }
}

/// What the form of several changes sends.
struct BatchRequest: Hashable, Sendable {
    let proposal: BatchProposal
    /// What the page said that the person agreed to (``BatchPage/agreement``).
    let agreement: String
    /// What makes a form that is sent twice count once.
    let idempotencyKey: String

    /// Decodes a form's fields.
    ///
    /// - Throws: ``RequestError`` where they are not those that the page's form sends.
    init(_ fields: FormFields, sentBy person: String, _ seals: ProposalSeal) throws(RequestError) {
        let request = fields["preview"].flatMap { $0.isEmpty ? nil : $0 }
        let reason = fields["reason"].map(LineEnds.normalized) ?? ""
        guard let text = fields["changes"], let changes = ProposedChanges.changes(in: text, reason: reason),
            let key = fields["idempotency"], (1...200).contains(key.utf8.count)
        else {
            throw RequestError(
                .badRequest, title: "Unreadable form",
                message: "The form does not hold the changes that are to be made; nothing was changed.",
                remedy: "Go back to where you chose them, and start again.")
        }
        proposal = BatchProposal(
            title: fields["title"] ?? "", changes: changes,
            origin: seals.origin(of: text, sentBy: person, under: fields["seal"] ?? ""),
            back: LocalPath.checked(fields["back"]), reason: reason, request: request,
            // Without a request that they came of, just these changes are meant.
            asOf: request.map { _ in FilesVersion(rawValue: fields["asof"] ?? "") })
        agreement = fields["agreement"] ?? ""
        idempotencyKey = key
    }
}

extension Dashboard {
    var proposalSeal: ProposalSeal { states.value { ProposalSeal() } }
}

/// Changes as the text that travels in a form: a JSON array, in which each value is in its lossless form.
enum ProposedChanges {
    /// The changes as text.
    static func text(of changes: [Change]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(changes.map(Item.init)), as: UTF8.self)
    }

    /// The changes that a text is of.
    ///
    /// - Returns: The changes; `nil` where it is no such text.
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

    /// The flags that two lists of changes don't do the same to, whatever their reasons.
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
