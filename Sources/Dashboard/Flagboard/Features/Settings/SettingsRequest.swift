import Foundation
import HTTPTypes
import Hummingbird

/// What a form about a viewer's settings sends.
///
/// A field that the form has not leaves its setting as it is, so that a form may be about one setting alone.
struct SettingsRequest: Hashable, Sendable {
    /// Which of the form's fields is wrong.
    enum Problem: Hashable, Sendable {
        case theme, density, zone
    }

    private let fields: FormFields
    private let columns: [String]

    /// How many columns a form may name.
    private static let mostColumns = 100

    /// Reads the form; of `column` it may have many, in the order in which they are to be shown.
    init(_ request: Request) async throws {
        let bytes = try await FormFields.bytes(of: request, upTo: FormFields.maximumBytes)
        (columns, fields) = try FormFields.separating("column", in: bytes, upTo: Self.mostColumns)
    }

    /// The time zone as typed.
    var zone: String { (fields["zone"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Puts what the form asks for into settings.
    ///
    /// - Returns: The settings as they are to be, or the field that can't be taken, and nothing of the form is.
    func applied(to settings: ViewerSettings) -> Result<ViewerSettings, RefusedSettings> {
        var new = settings
        if let text = fields["theme"] {
            guard let theme = ViewerSettings.Theme(rawValue: text) else { return .failure(RefusedSettings(.theme)) }
            new.theme = theme
        }
        if let text = fields["density"] {
            new.density = ViewerSettings.Density(rawValue: text)
            // What a form sends for “by the number of flags”.
            if new.density == nil, !text.isEmpty { return .failure(RefusedSettings(.density)) }
        }
        if fields["zone"] != nil {
            if !zone.isEmpty, ViewerSettings.timeZone(named: zone) == nil { return .failure(RefusedSettings(.zone)) }
            new.zone = zone.isEmpty ? nil : zone
        }
        if fields["columns"] != nil { new.columns = ViewerSettings.columns(from: columns) }
        return .success(new)
    }
}

/// That a form's settings can't be taken.
struct RefusedSettings: Error, Hashable {
    let problem: SettingsRequest.Problem

    init(_ problem: SettingsRequest.Problem) { self.problem = problem }

    /// What is wrong with what was sent, and what to do.
    var text: String {
        switch problem {
        case .theme: "There is no such theme. Choose one of those below."
        case .density: "There is no such density. Choose one of those below."
        case .zone:
            "No time zone has this name. Choose one of the list, such as Europe/Berlin, or leave the field empty."
        }
    }
}

/// The cookies that a viewer's settings are kept in.
///
/// One holds what was chosen, and no script reads it. The other holds the browser's time zone, which a script writes.
struct SettingsCookie {
    /// The cookie of what was chosen.
    static let name = "flagboard-settings"
    /// The cookie of the browser's time zone.
    static let zoneName = "flagboard-zone"

    /// How much of a cookie is looked at, in bytes: a longer one is none of the dashboard's.
    private static let longest = 2048
    /// For how many seconds a browser keeps what was chosen: a year.
    private static let age = 31_536_000

    private let attributes: String

    /// - Parameters:
    ///   - scheme: How the browser reaches the dashboard.
    ///   - mount: The path below which the dashboard is served, which alone gets the cookie.
    init(scheme: Dashboard.Scheme, below mount: MountPath = .root) {
        attributes =
            "; Path=\(mount.address(of: PageLink.flags)); HttpOnly; SameSite=Strict; Max-Age=\(Self.age)"
            + (scheme == .https ? "; Secure" : "")
    }

    /// What the sender of a request has chosen.
    ///
    /// Nothing of a cookie is trusted: whatever it has that can't be chosen is no choice.
    ///
    /// - Returns: The settings; the usual ones where it has no cookie of them.
    static func settings(in request: Request) -> ViewerSettings {
        var settings = request.cookies(named: name, upTo: 1).first.map(Self.settings(from:)) ?? ViewerSettings()
        settings.browserZone = request.cookies(named: zoneName, upTo: 1).first.flatMap(Self.zone(from:))
        return settings
    }

    /// The header that has a browser keep settings.
    func setting(_ settings: ViewerSettings) -> String {
        "\(Self.name)=\(Self.text(of: settings))\(attributes)"
    }

    /// Settings as a cookie holds them: like a query, of letters that a cookie may have.
    private static func text(of settings: ViewerSettings) -> String {
        let items: [(String, String?)] = [
            ("theme", settings.theme == .system ? nil : settings.theme.rawValue),
            ("density", settings.density?.rawValue), ("zone", settings.zone),
            ("columns", settings.columns.joined(separator: ".")),
        ]
        return String(PageLink.query(items).dropFirst())
    }

    private static func settings(from text: String) -> ViewerSettings {
        guard text.utf8.count <= longest, case .success(let fields) = Self.fields(of: text) else {
            return ViewerSettings()
        }
        var settings = ViewerSettings()
        settings.theme = fields["theme"].flatMap(ViewerSettings.Theme.init(rawValue:)) ?? .system
        settings.density = fields["density"].flatMap(ViewerSettings.Density.init(rawValue:))
        settings.zone = fields["zone"].flatMap(known(zone:))
        settings.columns = ViewerSettings.columns(from: (fields["columns"] ?? "").split(separator: "."))
        return settings
    }

    private static func zone(from text: String) -> String? {
        guard case .success(let fields) = Self.fields(of: "zone=\(text)") else { return nil }
        return fields["zone"].flatMap(known(zone:))
    }

    private static func known(zone name: String) -> String? {
        ViewerSettings.timeZone(named: name) == nil ? nil : name
    }

    private static func fields(of text: String) -> Result<FormFields, FormFieldsError> {
        Result { () throws(FormFieldsError) in try FormFields(text) }
    }
}
