import Foundation
import Hummingbird

/// What a form about saved searches sends.
struct SearchRequest: Hashable, Sendable {
    /// What is to be done.
    enum Action: String, Hashable, Sendable {
        case save, remove
    }

    let action: Action
    /// The name of the search.
    let name: String
    /// The search, as the list's address holds it.
    let query: String

    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: FlagRequest.maximumBytes)
        guard let action = Action(rawValue: fields["action"] ?? "") else {
            throw RequestError(
                .unprocessableContent, title: "Nothing to do", message: "A search is either saved or removed.",
                remedy: "Use the buttons of the page.")
        }
        self.action = action
        name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        query = fields["query"] ?? ""
    }
}
