import Foundation
import HTTPTypes
import Hummingbird

struct SettingsPage: PageModel {
    static let template = "settings"

    let frame: PageFrame
    let themes: [ChoiceOption]
    let densities: [ChoiceOption]
    /// The chosen time zone, or the typed text.
    let zone: String
    let zones: [String]
    /// A sentence on the time zone used when none is chosen.
    let usualZone: String
    /// The current time in the viewer's time zone.
    let now: String
    let problem: String?
    let zoneProblem: String?

    /// Foundation calls UTC by another name.
    private static var serversZone: String { TimeZone.current == .gmt ? "UTC" : TimeZone.current.identifier }

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
                "Leave empty to use your browser’s time zone (\(browser))."
            } else {
                "Leave empty to use your browser’s time zone, or the server’s without JavaScript "
                    + "(\(Self.serversZone))."
            }
        let timeZone = settings.timeZone
        let name =
            [settings.zone, settings.browserZone].compactMap(\.self)
            .first { ViewerSettings.timeZone(named: $0) != nil } ?? Self.serversZone
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone).dateSeparator(.dash)
        self.now = "Now in \(name): \(now.formatted(style).prefix(16))"
        zoneProblem = refusal?.problem == .zone ? refusal?.text : nil
        problem = zoneProblem == nil ? refusal?.text : nil
    }
}

extension ViewerSettings.Theme {
    fileprivate var label: String {
        switch self {
        case .system: "System"
        case .light: "Light"
        case .dark: "Dark"
        }
    }
}

/// A viewer's settings, kept in a cookie: they change no flag and aren't in the history.
extension Dashboard {
    func settingsPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try respond(SettingsPage(frame: try await frame(context), settings: context.settings, now: clock()))
    }

    func saveSettings(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let form = try await SettingsRequest(request)
        switch form.applied(to: context.settings) {
        case .success(let settings):
            var response = redirect(
                to: notes.add("Settings saved.", to: Self.origin(of: request)))
            response.headers[.setCookie] = SettingsCookie(
                scheme: cookieAddress(of: request).scheme, below: mount
            ).setting(settings)
            return response
        case .failure(let refusal):
            let page = SettingsPage(
                frame: try await frame(context), settings: context.settings, now: clock(), refused: form,
                refusal: refusal)
            return try respond(page, status: .unprocessableContent)
        }
    }
}
