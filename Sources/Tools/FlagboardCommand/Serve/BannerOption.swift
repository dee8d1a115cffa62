import ArgumentParser
import Flagboard
import Foundation

/// `TEXT` or `TEXT:COLOUR`.
struct BannerOption: Hashable, Sendable {
    let banner: EnvironmentBanner

    /// Reads the option's value.
    init(argument: String) throws {
        var text = Substring(argument)
        var colour = EnvironmentBanner.Colour.blue
        // A word after the last colon is meant as a colour: a mistyped one must not become part of the text.
        if let match = argument.wholeMatch(of: /(.*):([A-Za-z]+)/.dotMatchesNewlines()) {
            guard let named = EnvironmentBanner.Colour(rawValue: match.2.lowercased()) else {
                let names = EnvironmentBanner.Colour.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "\(match.2) is no colour of a banner; it is one of \(names), after the last colon.")
            }
            (text, colour) = (match.1, named)
        }
        let line = text.trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty, line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw ValidationError("a banner is one line of text, such as Production:red.")
        }
        guard line.count <= EnvironmentBanner.longestText else {
            throw ValidationError(
                "a banner has at most \(EnvironmentBanner.longestText) characters; this one has \(line.count).")
        }
        banner = EnvironmentBanner(text: line, colour: colour)
    }
}
