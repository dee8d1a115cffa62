import FlagChanges
import Foundation
import Hummingbird

/// Reads the main file's usual name in an address as that of its environment.
///
/// Links and programs from before the environment was named so reach the same file.
struct ProviderAlias: DashboardMiddleware {
    /// Query items that name a provider.
    private static let items: Set<String> = ["provider", "left", "right", "base", "of"]

    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        let files = dashboard.service.files
        guard files.environment != nil, let query = request.uri.query else { return try await next(request, context) }
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard case .success(let fields) = Result(catching: { try FormFields(pair) }), fields.values.count == 1,
                let (name, value) = fields.values.first, Self.items.contains(name), files.providerName(value) != value
            else { return String(pair) }
            return String(PageLink.query([(name, files.providerName(value))]).dropFirst())
        }
        guard pairs.joined(separator: "&") != query else { return try await next(request, context) }
        var head = request.head
        head.path = "\(request.uri.path)?\(pairs.joined(separator: "&"))"
        return try await next(Request(head: head, body: request.body), context)
    }
}
