import Foundation
import Hummingbird

/// Reads which page is asked for, and what the sender has chosen about how pages look, so that every page knows it, a refusal as
/// well; pages tell times in the sender's time zone, and programs are told them in UTC.
struct SettingsLookup: DashboardMiddleware {
    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var context = context
        context.settings = SettingsCookie.settings(in: request)
        if request.method == .get {
            context.asked = AskedPage(address: BrowserAddress(of: request), target: request.uri.string)
        }
        let zone = Route.at(request.uri.path)?.isForPrograms == true ? .gmt : context.settings.timeZone
        let known = context
        return try await PageZone.$current.withValue(zone) { try await next(request, known) }
    }
}
