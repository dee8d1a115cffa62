import Hummingbird

/// Reads what the sender of a request has chosen about how pages look, so that every page knows it, a refusal as well.
struct SettingsLookup: DashboardMiddleware {
    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var context = context
        context.settings = SettingsCookie.settings(in: request)
        return try await next(request, context)
    }
}
