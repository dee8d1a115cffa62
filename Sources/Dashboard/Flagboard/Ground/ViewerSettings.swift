import Foundation

/// What one viewer has chosen about how the pages look, kept by the viewer's browser.
///
/// ```swift
/// var settings = ViewerSettings()
/// settings.theme = .dark
/// settings.zone = "Europe/Berlin"
/// settings.timeZone.identifier  // "Europe/Berlin"
/// ```
struct ViewerSettings: Hashable, Sendable {
    /// Which colours the pages have.
    enum Theme: String, CaseIterable, Sendable {
        /// Those that the browser asks for.
        case system
        case light, dark
    }

    /// How much room a row of the list takes.
    enum Density: String, CaseIterable, Sendable {
        case compact, roomy
    }

    /// Which colours the pages have.
    var theme = Theme.system
    /// How much room a row of the list takes; `nil` where the number of flags decides.
    var density: Density?
    /// The name of the time zone that was chosen, one that ``timeZone(named:)`` knows; `nil` for the browser's.
    var zone: String?
    /// The columns of the list that were chosen, in their order; empty for the usual ones.
    var columns: [String] = []
    /// The name of the time zone that the browser has told; `nil` before it has, and always without script.
    var browserZone: String?

    /// The theme that pages are to have whatever the browser asks for; `nil` where that decides.
    var chosenTheme: String? { theme == .system ? nil : theme.rawValue }

    /// The time zone that the viewer reads times in: the chosen one, else the browser's, else the server's.
    var timeZone: TimeZone {
        for name in [zone, browserZone] {
            if let name, let known = Self.timeZone(named: name) { return known }
        }
        return .current
    }

    /// How long a name of a time zone may be, in bytes.
    private static let longestZone = 64

    /// The time zone of a name of the IANA database, such as `Europe/Berlin`.
    ///
    /// - Returns: `nil` where no zone has this name.
    static func timeZone(named name: String) -> TimeZone? {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard isName, !name.isEmpty, name.utf8.count <= longestZone else { return nil }
        return TimeZone(identifier: name)
    }

    /// How many columns may be kept.
    private static let mostColumns = 30

    /// Names of columns as they are kept: each once, and nothing but names.
    static func columns(from names: some Sequence<some StringProtocol>) -> [String] {
        var kept: [String] = []
        for name in names where isColumn(name) && !kept.contains(String(name)) && kept.count < mostColumns {
            kept.append(String(name))
        }
        return kept
    }

    private static func isColumn(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && name.utf8.count <= 40
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
