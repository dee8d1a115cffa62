/// A text in a colour at the top of every page, and before its title, that tells one environment from another.
public struct EnvironmentBanner: Hashable, PagePart {
    /// The colours, each of them readable in both themes.
    public enum Colour: String, CaseIterable, Sendable {
        case red, amber, green, blue, violet, gray
    }

    /// How long the text may be, in characters.
    public static let longestText = 80

    /// Such as `Production`.
    let text: String
    /// The colour's name, for the style sheet.
    let colour: String

    /// Makes a banner.
    ///
    /// - Parameters:
    ///   - text: What it says; one line of at most ``longestText`` characters.
    ///   - colour: Its colour.
    public init(text: String, colour: Colour = .blue) {
        self.text = text
        self.colour = colour.rawValue
    }
}
