import HTTPTypes
import Hummingbird

/// How one viewer sees the pages: kept by the viewer's browser, no change of a flag, and so in no history.
extension Dashboard {
    func settingsPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try respond(SettingsPage(frame: try await frame(context), settings: context.settings, now: clock()))
    }

    /// Has the browser keep what was chosen, and leads back to the page that the form was on.
    func saveSettings(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try await SettingsRequest(request)
        switch form.applied(to: context.settings) {
        case .success(let settings):
            var response = redirect(
                to: notes.add("Your settings are saved in this browser.", to: Self.origin(of: request)))
            response.headers[.setCookie] = SettingsCookie(scheme: scheme(of: request), below: mount).setting(settings)
            return response
        case .failure(let refusal):
            let page = SettingsPage(
                frame: try await frame(context), settings: context.settings, now: clock(), refused: form,
                refusal: refusal)
            return try respond(page, status: .unprocessableContent)
        }
    }
}
