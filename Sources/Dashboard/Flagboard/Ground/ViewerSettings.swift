import Foundation

/// A viewer's display settings, kept in the browser.
///
/// ```swift
/// var settings = ViewerSettings()
/// settings.theme = .dark
/// settings.zone = "Europe/Berlin"
/// settings.timeZone.identifier  // "Europe/Berlin"
/// ```
struct ViewerSettings: Hashable, Sendable {
    enum Theme: String, CaseIterable, Sendable {
        /// The browser's preference.
        case system
        case light, dark
    }

    enum Density: String, CaseIterable, Sendable {
        case compact, roomy
    }

    var theme = Theme.system
    /// `nil` to decide by the number of flags.
    var density: Density?
    /// The chosen time zone, known to ``timeZone(named:)``; `nil` for the browser's.
    var zone: String?
    /// In order; empty for the default, ``noColumn`` for none.
    var columns: [String] = []
    static let noColumn = "none"
    /// `nil` before it is known, and always without scripts.
    var browserZone: String?

    /// `nil` when the browser decides.
    var chosenTheme: String? { theme == .system ? nil : theme.rawValue }

    /// The chosen one, else the browser's, else the server's.
    var timeZone: TimeZone {
        for name in [zone, browserZone] {
            if let name, let known = Self.timeZone(named: name) { return known }
        }
        return .current
    }

    private static let longestZone = 64

    /// Returns the time zone of an IANA name, such as `Europe/Berlin`, if there is one.
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

    private static let mostColumns = 30

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
