import ArgumentParser
import FeatureFlagsXML
import Flagboard
import FlagChanges
import Foundation

/// `NAME=SOURCE`, a file or the `https://…` of another Flagboard, then `:ro`, `:env`, or both.
struct ProviderOption: Hashable, Sendable {
    let name: String
    let source: String
    let isReadOnly: Bool
    /// True for values of another environment, which reads don't use.
    let isEnvironment: Bool

    /// The kind of the source; `nil` for a file.
    var kind: (any FollowedProvider.Type)? { followedProviders.first { $0.matches(source) } }

    /// Names with another meaning where a source is named, and that meaning.
    private static let reservedNames = [
        (FlagFiles.localProviderName, "FILE itself has that name"),
        ("default", "the pages call a flag's own default so"),
        ("effective", "the pages call what a read returns so"),
        ("computed", "the pages call a default that code computes so"),
    ]

    private static let endings = [":ro", ":env"]

    init(argument: String) throws {
        let bytes = argument.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw ValidationError("write it as NAME=SOURCE, such as Team=team.xml; there is no = in it.")
        }
        var rest = bytes[bytes.index(after: equals)...]
        var endings: Set<String> = []
        while let ending = Self.endings.first(where: { rest.suffix($0.utf8.count).elementsEqual($0.utf8) }),
            endings.insert(ending).inserted
        {
            rest = rest.dropLast(ending.utf8.count)
        }
        isReadOnly = endings.contains(":ro")
        isEnvironment = endings.contains(":env")
        let source = String(rest) ?? ""
        let name = String(bytes[..<equals]) ?? ""
        guard !name.isEmpty, name.allSatisfy({ !$0.isNewline }) else {
            throw ValidationError("write it as NAME=SOURCE, such as Team=team.xml; the name before = is empty.")
        }
        guard !source.isEmpty else {
            throw ValidationError("write it as NAME=SOURCE, such as Team=team.xml; the file after = is missing.")
        }
        if let (reserved, why) = Self.reservedNames.first(where: { $0.0.lowercased() == name.lowercased() }) {
            throw ValidationError("a provider can't be called \(reserved), since \(why): choose another name.")
        }
        self.name = name
        self.source = source
        if isEnvironment, let refusal = kind?.environmentRefusal { throw ValidationError(refusal) }
    }
}

/// `TEXT` or `TEXT:COLOUR`.
struct BannerOption: Hashable, Sendable {
    let banner: EnvironmentBanner

    init(argument: String) throws {
        var text = Substring(argument)
        var colour = EnvironmentBanner.Colour.blue
        // A word after the last colon must be a colour: a mistyped one must not become part of the text.
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
                "\"\(argument)\" is no size of a file; write it as 512M, 1G (the most) or a number of bytes.")
        }
        self.bytes = bytes
    }

    /// Returns the size as people write it, in MiB if that is whole.
    static func text(_ bytes: Int) -> String {
        bytes % (1024 * 1024) == 0 ? "\(bytes / 1024 / 1024)M" : "\(bytes)"
    }
}
