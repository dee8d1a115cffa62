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
