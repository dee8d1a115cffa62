import FlagChanges
import HTTPTypes

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
