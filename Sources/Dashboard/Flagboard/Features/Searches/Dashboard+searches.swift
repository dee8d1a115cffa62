import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// Saved searches of the list: they change no flag and aren't in the history.
extension Dashboard {
    func searchesPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let filter = FlagFilter(query: try FormFields(request.uri.query ?? "").values)
        let isSearch = !SavedSearch.query(of: filter).isEmpty && filter.problems.isEmpty
        return try respond(
            try await searchesPage(context, form: isSearch ? SearchForm(filter) : nil))
    }

    /// Saves a search and redirects to its list, or removes one.
    func changeSearches(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let wish = try await SearchRequest(request)
        guard mayChangeSearches(context) else { throw Self.noEditor }
        guard wish.action == .remove else { return try await save(wish, context) }
        do throws(KeptFileError) {
            try await searches.remove(wish.name)
        } catch {
            throw Self.refusal(error)
        }
        return redirect(to: notes.add("“\(wish.name)” removed.", to: PageLink.searches))
    }

    private static func refusal(_ error: KeptFileError) -> RequestError {
        RequestError(
            error.isUnknown ? .notFound : .serviceUnavailable, title: "Saved searches unchanged",
            message: error.description,
            remedy: "Go back to the saved searches and try again.")
    }

    private func save(
        _ wish: SearchRequest, _ context: DashboardContext
    ) async throws -> Response {
        let filter = FlagFilter(query: try FormFields(wish.query).values)
        let query = SavedSearch.query(of: filter)
        guard filter.problems.isEmpty, !query.isEmpty else {
            throw RequestError(
                .unprocessableContent, title: "No search to save",
                message: filter.problems.first ?? "The list isn’t filtered.",
                remedy: "Filter the flag list first.")
        }
        let author = try context.author(.form)
        let search = SavedSearch(name: wish.name, query: query, actor: author.name, made: clock())
        do throws(KeptFileError) {
            try await searches.add(search)
        } catch {
            guard error.isRequestAtFault, !error.isUnknown else { throw Self.refusal(error) }
            let form = SearchForm(filter, name: wish.name, problem: error.description)
            return try respond(try await searchesPage(context, form: form), status: .unprocessableContent)
        }
        return redirect(to: notes.add("Saved as “\(search.name)”.", to: search.href))
    }

    private func searchesPage(_ context: DashboardContext, form: SearchForm?) async throws -> SearchesPage {
        SearchesPage(
            frame: try await frame(context), searches: savedSearches().searches,
            mayChange: mayChangeSearches(context), form: form)
    }

    /// Returns a notice if the searches can't be read.
    func savedSearches() -> (searches: [SavedSearch], notice: PageNotice?) {
        do throws(KeptFileError) {
            return (try searches.searches(), nil)
        } catch {
            return ([], PageNotice("warning", "The saved searches can’t be read.", error.description.asSentence))
        }
    }

    /// Admits editors and admins.
    func mayChangeSearches(_ context: DashboardContext) -> Bool {
        !service.isReadOnly && context.visitor.map { $0.person.role != .viewer } ?? false
    }

    private static let noEditor = RequestError(
        .forbidden, title: "Not allowed",
        message: "Only editors and admins can save searches.",
        remedy: "Bookmark the list instead.")
}

struct SearchRequest: Hashable, Sendable {
    enum Action: String, Hashable, Sendable {
        case save, remove
    }

    let action: Action
    let name: String
    /// The query in the list's address.
    let query: String

    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        guard let action = Action(rawValue: fields["action"] ?? "") else {
            throw RequestError(
                .unprocessableContent, title: "Saved searches unchanged",
                message: "Choose whether to save or remove the search.",
                remedy: "Use the buttons on the page.")
        }
        self.action = action
        name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        query = fields["query"] ?? ""
    }
}
