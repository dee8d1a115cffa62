import Foundation
import HTTPTypes
import Hummingbird

/// A form of settings.
///
/// An absent field keeps its setting, so that a form may cover one setting only.
struct SettingsRequest: Hashable, Sendable {
    enum Problem: Hashable, Sendable {
        case theme, density, zone
    }

    private let fields: FormFields
    private let columns: [String]

    private static let mostColumns = 100

    /// The field `column` repeats, in the order of the columns.
    init(_ request: Request) async throws {
        let bytes = try await FormFields.bytes(of: request, upTo: FormFields.maximumBytes)
        (columns, fields) = try FormFields.separating("column", in: bytes, upTo: Self.mostColumns)
    }

    var zone: String { (fields["zone"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }

    /// One invalid field refuses all changes.
    func applied(to settings: ViewerSettings) -> Result<ViewerSettings, RefusedSettings> {
        var new = settings
        if let text = fields["theme"] {
            guard let theme = ViewerSettings.Theme(rawValue: text) else { return .failure(RefusedSettings(.theme)) }
            new.theme = theme
        }
        if let text = fields["density"] {
            new.density = ViewerSettings.Density(rawValue: text)
            // The form sends an empty text for “by the number of flags”.
            if new.density == nil, !text.isEmpty { return .failure(RefusedSettings(.density)) }
        }
        if fields["zone"] != nil {
            if !zone.isEmpty, ViewerSettings.timeZone(named: zone) == nil { return .failure(RefusedSettings(.zone)) }
            new.zone = zone.isEmpty ? nil : zone
        }
        if fields["reset"] == "columns" {
            new.columns = []
        } else if fields["columns"] != nil {
            let chosen = ViewerSettings.columns(from: columns)
            new.columns = chosen.isEmpty ? [ViewerSettings.noColumn] : chosen
        }
        return .success(new)
    }
}

struct RefusedSettings: Error, Hashable {
    let problem: SettingsRequest.Problem

    init(_ problem: SettingsRequest.Problem) { self.problem = problem }

    var text: String {
        switch problem {
        case .theme: "Unknown theme. Choose one below."
        case .density: "Unknown density. Choose one below."
        case .zone:
            "Unknown time zone. Choose one from the list, for example Europe/Berlin."
        }
    }
}

/// The cookies of a viewer's settings.
///
/// One holds the choices, hidden from scripts. The other holds the browser's time zone, written by a script.
struct SettingsCookie {
    static let name = "flagboard-settings"
    static let zoneName = "flagboard-zone"

    /// In bytes.
    private static let longest = 2048
    /// A year, in seconds.
    private static let age = 31_536_000

    private let attributes: String

    init(scheme: Dashboard.Scheme, below mount: MountPath = .root) {
        attributes =
            "; Path=\(mount.address(of: PageLink.flags)); HttpOnly; SameSite=Strict; Max-Age=\(Self.age)"
            + (scheme == .https ? "; Secure" : "")
    }

    /// An invalid value counts as absent.
    static func settings(in request: Request) -> ViewerSettings {
        var settings = request.cookies(named: name, upTo: 1).first.map(Self.settings(from:)) ?? ViewerSettings()
        settings.browserZone = request.cookies(named: zoneName, upTo: 1).first.flatMap(Self.zone(from:))
        return settings
    }

    func setting(_ settings: ViewerSettings) -> String {
        "\(Self.name)=\(Self.text(of: settings))\(attributes)"
    }

    /// Returns the settings as a URL query, whose characters a cookie allows.
    private static func text(of settings: ViewerSettings) -> String {
        let items: [(String, String?)] = [
            ("theme", settings.theme == .system ? nil : settings.theme.rawValue),
            ("density", settings.density?.rawValue), ("zone", settings.zone),
            ("columns", settings.columns.joined(separator: ".")),
        ]
        return String(PageLink.query(items).dropFirst())
    }

    private static func settings(from text: String) -> ViewerSettings {
        guard text.utf8.count <= longest, let fields = FormFields(ifReadable: text) else {
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
        FormFields(ifReadable: "zone=\(text)")?["zone"].flatMap(known(zone:))
    }

    private static func known(zone name: String) -> String? {
        ViewerSettings.timeZone(named: name) == nil ? nil : name
    }
}
