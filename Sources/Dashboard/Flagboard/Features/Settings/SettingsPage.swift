import Foundation
import HTTPTypes
import Hummingbird

/// How one viewer sees the pages.
struct SettingsPage: PageModel {
    static let template = "settings"

    let frame: PageFrame
    let themes: [ChoiceOption]
    let densities: [ChoiceOption]
    /// The time zone that was chosen, or what was typed.
    let zone: String
    /// The names of all time zones, to choose from.
    let zones: [String]
    /// Which time zone counts where none is chosen, in a sentence.
    let usualZone: String
    /// The time of now, as the viewer reads times.
    let now: String
    /// What is wrong with the theme or the density.
    let problem: String?
    /// What is wrong with the time zone.
    let zoneProblem: String?

    /// Makes the page.
    init(
        frame: PageFrame, settings: ViewerSettings, now: Date, refused: SettingsRequest? = nil,
        refusal: RefusedSettings? = nil
    ) {
        self.frame = frame.titled("Settings", in: .settings)
        themes = ViewerSettings.Theme.allCases.map { theme in
            ChoiceOption(
                value: theme.rawValue, label: theme.label, isSelected: theme == settings.theme,
                id: "theme-\(theme.rawValue)")
        }
        densities = ListLook(settings).densities
        zone = refused?.zone ?? settings.zone ?? ""
        zones = TimeZone.knownTimeZoneIdentifiers.sorted()
        usualZone =
            if let browser = settings.browserZone {
                "Leave it empty for the time zone of your browser, \(browser)."
            } else {
                "Leave it empty for the time zone of your browser, or without JavaScript for that of the server, "
                    + "\(TimeZone.current.identifier)."
            }
        let timeZone = settings.timeZone
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone).dateSeparator(.dash)
        self.now = "In \(timeZone.identifier) it is \(now.formatted(style).prefix(16))."
        zoneProblem = refusal?.problem == .zone ? refusal?.text : nil
        problem = zoneProblem == nil ? refusal?.text : nil
    }
}

extension ViewerSettings.Theme {
    fileprivate var label: String {
        switch self {
        case .system: "As the system"
        case .light: "Light"
        case .dark: "Dark"
        }
    }
}

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
