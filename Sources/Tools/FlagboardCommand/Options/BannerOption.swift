import ArgumentParser
import FeatureFlagsXML
import Flagboard
import Foundation

/// `TEXT` or `TEXT:COLOUR`, of a banner or of the environment that it names.
struct BannerOption: Hashable, Sendable {
    let banner: EnvironmentBanner

    init(argument: String) throws {
        try self.init(argument, called: "a banner")
    }

    /// - Parameter noun: What errors call the text.
    private init(_ argument: String, called noun: String) throws {
        var text = Substring(argument)
        var colour = EnvironmentBanner.Colour.blue
        // A word after the last colon must be a colour: a mistyped one must not become part of the text.
        if let match = argument.wholeMatch(of: /(.*):([A-Za-z]+)/.dotMatchesNewlines()) {
            guard let named = EnvironmentBanner.Colour(rawValue: match.2.lowercased()) else {
                let names = EnvironmentBanner.Colour.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "\(match.2) is not a colour. Use one of \(names) after the last colon.")
            }
            (text, colour) = (match.1, named)
        }
        let line = text.trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty, line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw ValidationError("\(noun) must be one line of text, such as Production:red.")
        }
        guard line.count <= EnvironmentBanner.longestText else {
            throw ValidationError(
                "\(noun) can have up to \(EnvironmentBanner.longestText) characters; this one has \(line.count).")
        }
        banner = EnvironmentBanner(text: line, colour: colour)
    }
}

extension BannerOption {
    /// The main file's provider gets the text for its name.
    static func environment(_ argument: String) throws -> BannerOption {
        let option = try BannerOption(argument, called: "an environment's name")
        try ProviderOption.checkName(option.banner.text, isOfFile: true)
        return option
    }
}

/// A number of bytes: `500000`, `512M`, `1G`.
struct FileSizeOption: Hashable, Sendable {
    private static let units: [Character: Int] = ["K": 1024, "M": 1024 * 1024, "G": 1024 * 1024 * 1024]

    let bytes: Int

    init(argument: String) throws {
        let unit = argument.last.flatMap { Self.units[Character($0.uppercased())] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        let (bytes, isTooMuch) = (Int(digits) ?? 0).multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooMuch, (1...PropertyListDocument.largestMaximumSize).contains(bytes) else {
            throw ValidationError(
                "\"\(argument)\" is not a valid file size. Use a size like 512M or 1G (the maximum), or a number of "
                    + "bytes.")
        }
        self.bytes = bytes
    }

    /// Returns the size as people write it, in MiB if that is whole.
    static func text(_ bytes: Int) -> String {
        bytes % (1024 * 1024) == 0 ? "\(bytes / 1024 / 1024)M" : "\(bytes)"
    }
}
