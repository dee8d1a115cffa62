import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

struct FlagPortion {
    /// The flag before this part; `nil` for the start of the list.
    private let after: FlagKeyPath?
    /// `nil` for no limit.
    private let limit: Int?

    static let largestLimit = 1000

    /// Empty items count as absent.
    init(query: FormFields) throws(RequestError) {
        limit = try Self.limit(query)
        guard let text = query["after"], !text.isEmpty else {
            after = nil
            return
        }
        guard let key = FlagKeyPath(text: text) else {
            throw Dashboard.unreadable(["after must be a key path from the previous response."])
        }
        after = key
    }

    static func limit(_ query: FormFields) throws(RequestError) -> Int? {
        guard let text = query["limit"], !text.isEmpty else { return nil }
        guard let limit = Int(text), (1...largestLimit).contains(limit) else {
            throw Dashboard.unreadable(["limit must be a number from 1 to \(largestLimit)."])
        }
        return limit
    }

    /// Returns the requested flags and the `after` of the next part, `nil` on the last one.
    ///
    /// Throws 400 if the `after` flag is gone and its position doesn't follow from the list's order.
    func flags(
        of filter: FlagFilter, in view: CatalogueView, _ lastChanges: [FlagKeyPath: LastChange]
    ) throws(RequestError) -> (flags: ListedFlags, next: FlagKeyPath?) {
        let found = filter.entries(of: view).sorted(filter.sort, lastChanges)
        var start = 0
        if let after {
            // In all flags, because the `after` flag may no longer match the filter.
            let all = ListedFlags(view.catalogue.entries, at: Array(view.catalogue.entries.indices))
                .sorted(filter.sort, lastChanges)
            let place = all.firstIndex { filter.sort == .key ? $0.key > after : $0.key == after }
            if let place {
                let behind = Set(all[(filter.sort == .key ? place : place + 1)...].lazy.map(\.key))
                start = found.firstIndex { behind.contains($0.key) } ?? found.endIndex
            } else if filter.sort == .key {
                start = found.endIndex
            } else {
                throw Dashboard.unreadable([
                    "The flag in after no longer exists. Start again without after, or use sort=key."
                ])
            }
        }
        let end = limit.map { min(start + $0, found.endIndex) } ?? found.endIndex
        return (found.part(start..<end), end < found.endIndex ? found[end - 1].key : nil)
    }
}

extension Dashboard {
    /// Returns the refusal of an OpenFeature route, and throws that of any other.
    func queryRefusal(
        of request: Request, at route: Route, by method: HTTPRequest.Method
    ) throws -> Response? {
        guard let text = request.uri.query, !text.isEmpty else { return nil }
        // The router drops empty components, so a key path of only those has another route.
        let asked = Route.at(request.uri.path) ?? route
        guard let operation = asked.operations[method], !operation.takesAnyQuery else { return nil }
        do {
            let fields = try FormFields(text)
            try Self.check(fields, against: operation.query)
            if route.isForPrograms { try Self.refuseMarksOfViewers(in: fields) }
            return nil
        } catch let error as RequestError where operation.isEvaluation {
            return refuseEvaluation(at: asked, request, because: error.message)
        } catch let error as UnreadableFormError where operation.isEvaluation {
            return refuseEvaluation(at: asked, request, because: error.description)
        }
    }

    /// Refuses a body where the description has none; handlers check the other bodies.
    func checkBody(of request: Request, at route: Route, by method: HTTPRequest.Method) async throws {
        let asked = Route.at(request.uri.path) ?? route
        guard method != .get, let operation = asked.operations[method], operation.body == nil else { return }
        try await JSONBody.checkEmpty(request)
    }

    /// Refuses unknown query items, and empty ones where an empty text has no meaning.
    ///
    /// A mistyped or empty name would otherwise change another provider, or list all flags.
    static func check(_ query: FormFields, against fields: [APIField]) throws(RequestError) {
        let names = fields.map(\.name)
        if let other = query.values.keys.filter({ !names.contains($0) }).min() {
            let known =
                names.isEmpty ? "it takes no parameters" : "supported parameters: \(names.joined(separator: ", "))"
            throw unreadable(["\(ShownValue(.string(other)).inSentence) is not a parameter of this query; \(known)."])
        }
        for field in fields where query[field.name] == "" && !field.shape.takesEmptyText {
            throw unreadable(["\(field.name) is empty. Remove it or give it a value."])
        }
    }

    private static func refuseMarksOfViewers(in query: FormFields) throws(RequestError) {
        let states = (query["state"] ?? "").split(separator: ",").map(String.init)
        guard let mark = FlagFilter.Mark.allCases.first(where: { $0.isOfViewer && states.contains($0.rawValue) }) else {
            return
        }
        throw unreadable([
            "\(mark.rawValue) is not available in the API, because it depends on a person’s browser."
        ])
    }

    static func unreadable(_ problems: [String]) -> RequestError {
        RequestError(
            .badRequest, .unreadableQuery, title: "Invalid query", message: problems.joined(separator: " "),
            remedy: "Correct the query and try again.")
    }
}
