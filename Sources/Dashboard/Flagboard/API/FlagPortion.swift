import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

/// The part of a list of flags that a program asks for.
struct FlagPortion {
    /// The flag behind which it begins; `nil` for the start of the list.
    private let after: FlagKeyPath?
    /// How many flags at most; `nil` for all that there are.
    private let limit: Int?

    /// The most rows that may be asked for at once.
    static let largestLimit = 1000

    /// Reads the query of a request; empty items count as absent.
    ///
    /// - Throws: ``RequestError``, 400, where it can't be read.
    init(query: FormFields) throws(RequestError) {
        limit = try Self.limit(query)
        guard let text = query["after"], !text.isEmpty else {
            after = nil
            return
        }
        guard let key = FlagKeyPath(text: text) else {
            throw Dashboard.unreadable(["after is no key path; take it from the answer before."])
        }
        after = key
    }

    /// How many rows are asked for.
    ///
    /// - Returns: `nil` where the query says nothing of it.
    /// - Throws: ``RequestError``, 400, where it is no number, or too large.
    static func limit(_ query: FormFields) throws(RequestError) -> Int? {
        guard let text = query["limit"], !text.isEmpty else { return nil }
        guard let limit = Int(text), (1...largestLimit).contains(limit) else {
            throw Dashboard.unreadable(["limit is no number from 1 to \(largestLimit)."])
        }
        return limit
    }

    /// The flags of a list that are asked for, and the one behind which the next part begins.
    ///
    /// - Parameter lastChanges: The last change of each, where the order asks for it.
    /// - Returns: The flags; `next` is `nil` with the last of them.
    /// - Throws: ``RequestError``, 400, where the flag behind which to begin is gone, and the list's order does not tell where it was.
    func flags(
        of filter: FlagFilter, in view: CatalogueView, _ lastChanges: [FlagKeyPath: LastChange]
    ) throws(RequestError) -> (flags: ListedFlags, next: FlagKeyPath?) {
        let found = filter.entries(of: view).sorted(filter.sort, lastChanges)
        var start = 0
        if let after {
            // What is behind a flag is told from the list of all, since the flag may not be found any more by what is asked for.
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
                    "after names no flag of this list: it is gone meanwhile. Ask without after, or with sort=key."
                ])
            }
        }
        let end = limit.map { min(start + $0, found.endIndex) } ?? found.endIndex
        return (found.part(start..<end), end < found.endIndex ? found[end - 1].key : nil)
    }
}

/// What the query of a request for machines may say: what is described of it, and nothing else.
extension Dashboard {
    /// Holds the query of a request against its description; where it has none, nothing is done.
    ///
    /// - Returns: What refuses it in the words of its protocol; `nil` where it can be answered.
    /// - Throws: ``RequestError`` or ``FormFieldsError``, 400, where it says anything that is not described.
    func queryRefusal(
        of request: Request, at route: Route, by method: HTTPRequest.Method
    ) throws -> Response? {
        guard let text = request.uri.query, !text.isEmpty else { return nil }
        // A key path of nothing but empty components is all that the router drops of an address.
        let asked = Route.at(request.uri.path) ?? route
        guard let operation = asked.operations[method], !operation.takesAnyQuery else { return nil }
        do {
            let fields = try FormFields(text)
            try Self.check(fields, against: operation.query)
            if route.isForPrograms { try Self.refuseMarksOfViewers(in: fields) }
            return nil
        } catch let error as RequestError where operation.isEvaluation {
            return refuseEvaluation(at: asked, request, because: error.message)
        } catch let error as FormFieldsError where operation.isEvaluation {
            return refuseEvaluation(at: asked, request, because: error.description)
        }
    }

    /// Holds a request of a program that changes something against its description, where that has no body: the others are
    /// read by what answers them.
    ///
    /// - Throws: ``RequestError`` where a body says anything; what reading it throws, where it is cut short.
    func checkBody(of request: Request, at route: Route, by method: HTTPRequest.Method) async throws {
        let asked = Route.at(request.uri.path) ?? route
        guard method != .get, let operation = asked.operations[method], operation.body == nil else { return }
        try await JSONBody.checkEmpty(request)
    }

    /// Holds a query against what it may say.
    ///
    /// - Throws: ``RequestError``, 400, where it says anything else, as by a mistyped name, or nothing where just some texts mean
    ///   something: another provider would be changed, or all flags listed.
    static func check(_ query: FormFields, against fields: [APIField]) throws(RequestError) {
        let names = fields.map(\.name)
        if let other = query.values.keys.filter({ !names.contains($0) }).min() {
            let known = names.isEmpty ? "it may hold nothing" : "it may hold \(names.joined(separator: ", "))"
            throw unreadable(["\(ShownValue(.string(other)).inSentence) means nothing in this query; \(known)."])
        }
        for field in fields where query[field.name] == "" && !field.shape.takesEmptyText {
            throw unreadable(["\(field.name) is empty; leave it out, or say what it is."])
        }
    }

    /// Refuses a list of what one viewer's browser alone knows of.
    ///
    /// - Throws: ``RequestError``, 400, where it asks for such a list.
    private static func refuseMarksOfViewers(in query: FormFields) throws(RequestError) {
        let states = (query["state"] ?? "").split(separator: ",").map(String.init)
        guard let mark = FlagFilter.Mark.allCases.first(where: { $0.isOfViewer && states.contains($0.rawValue) }) else {
            return
        }
        throw unreadable([
            "\(mark.rawValue) is no state for programs: the browser of one person alone knows these flags."
        ])
    }

    /// That a query can't be understood.
    static func unreadable(_ problems: [String]) -> RequestError {
        RequestError(
            .badRequest, .unreadableQuery, title: "Unreadable query", message: problems.joined(separator: " "),
            remedy: "Correct the query and ask again.")
    }
}
