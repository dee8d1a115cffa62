import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    func addFlagRoutes(to router: Router<DashboardContext>) {
        router.get(Routes.flags) { request, _ in try await flagList(request) }
        router.get(Routes.flag) { request, _ in try await flagPage(request) }
        router.get(Routes.flagByKey) { request, _ in try await flagPage(request) }
        router.post(Routes.flag) { request, context in try await editFlag(request, context) }
        router.post(Routes.flagByKey) { request, context in try await editFlag(request, context) }
    }

    private func flagList(_ request: Request) async throws -> Response {
        let filter = FlagFilter(query: try FormFields(request.uri.query ?? "").values)
        let overview = try await service.overview()
        return try respond(
            FlagListPage(frame: frame(overview), catalogue: overview.catalogue, filter: filter))
    }

    private func flagPage(_ request: Request) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        return try await flagPage(
            try key(of: request), provider: query["provider"], notice: Notice(query["saved"])?.text)
    }

    private func editFlag(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try key(of: request)
        let edit = try await FlagEdit(request)
        let author = ChangeAuthor(name: actor, role: .admin, origin: .form, requestID: context.id)
        do {
            let outcome = try await service.apply(edit.change(of: key), by: author)
            return Response(status: .seeOther, headers: [.location: Notice(outcome, edit).address(of: key)])
        } catch {
            guard error.keepsForm else { throw error }
            return try await flagPage(key, provider: edit.provider, refusal: error, edit: edit)
        }
    }

    /// One flag's page; after a refusal, with what was typed and why it was refused.
    private func flagPage(
        _ key: FlagKeyPath, provider: String?, notice: String? = nil, refusal: ChangeRefusal? = nil,
        edit: FlagEdit? = nil
    ) async throws -> Response {
        let overview = try await service.overview()
        guard let entry = overview.catalogue[key] else { throw RequestRefusal.unknownFlag(key) }
        let history = try service.history.page(
            HistoryQuery(key: key, hiddenKeys: overview.hiddenKeys, limit: 20))
        let form = edit.map { edit in
            FlagForm(
                value: edit.typedValue, reason: edit.reason, provider: edit.provider, revision: nil,
                problem: refusal.map { "\($0.description) \($0.remedy)" })
        }
        let page = FlagPage(
            frame: frame(overview), entry: entry, catalogue: overview.catalogue, now: clock(), provider: provider,
            form: form, history: history.records, historyTotal: history.total,
            notice: notice)
        return try respond(page, status: refusal?.status ?? .ok)
    }

    /// The flag that an address names: by the rest of its path, else by the field `key`.
    private func key(of request: Request) throws -> FlagKeyPath {
        let path = request.uri.path
        let text: String?
        if path.hasPrefix(Routes.flagPrefix) {
            text = path.dropFirst(Routes.flagPrefix.count).removingPercentEncoding
        } else {
            text = try FormFields(request.uri.query ?? "")["key"]
        }
        guard let text else { throw RequestRefusal.notFound("flag at \(path)") }
        guard let key = FlagKeyPath(text: text) else { throw RequestRefusal.notFound("flag \(text)") }
        return key
    }
}

extension RequestRefusal {
    static func unknownFlag(_ key: FlagKeyPath) -> RequestRefusal {
        RequestRefusal(
            .notFound, title: "No such flag", message: "There is no flag \(key).",
            remedy: "Look for it in the list of flags; its key path must be written exactly.")
    }
}

extension ChangeRefusal {
    /// Whether the form comes back with what was typed; otherwise a page of its own tells why.
    fileprivate var keepsForm: Bool {
        switch reason {
        case .invalid, .conflict, .unavailable, .full: true
        case .notAllowed, .unknown, .locked: false
        }
    }
}

/// What the page says after a form was taken; the address carries only which of the sentences it is.
private enum Notice: String {
    case set, reset, unchanged

    init(_ outcome: ChangeOutcome, _ edit: FlagEdit) {
        switch outcome {
        case .unchanged: self = .unchanged
        case .applied: self = edit.action == .reset ? .reset : .set
        }
    }

    init?(_ name: String?) {
        guard let name else { return nil }
        self.init(rawValue: name)
    }

    var text: String {
        switch self {
        case .set: "Saved. The file holds the new value, and the history the change."
        case .reset: "Reset. The provider holds no value any more, and the history the change."
        case .unchanged: "Nothing to do: the provider already holds just that."
        }
    }

    func address(of key: FlagKeyPath) -> String {
        let flag = PageLink.flag(key)
        return "\(flag)\(flag.contains("?") ? "&" : "?")saved=\(rawValue)"
    }
}
