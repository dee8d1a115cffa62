import Foundation
import Hummingbird

/// What the forms about a webhook send.
struct WebhookRequest: Hashable, Sendable {
    /// The webhook's identifier.
    let id: String
    private let from: String
    private let to: String

    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: FlagRequest.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        id = fields["id"] ?? ""
        from = (fields["from"] ?? "").trimmingCharacters(in: .whitespaces)
        to = (fields["to"] ?? "").trimmingCharacters(in: .whitespaces)
    }

    /// The rows that are to be sent again.
    ///
    /// - Returns: The rows; up to the last one where the form names none.
    /// - Throws: ``RequestError`` where there are no such rows.
    func rows(upTo last: Int64) throws(RequestError) -> ClosedRange<Int64> {
        guard let first = Int64(from), let end = to.isEmpty ? last : Int64(to), first > 0, first <= end, end <= last
        else {
            throw RequestError(
                .unprocessableContent, title: "No such rows",
                message: "Rows “\(from)” to “\(to)” are none of the history, which has rows up to \(last).",
                remedy: "Give the numbers of rows as the history has them, the first one first.")
        }
        return first...end
    }
}
