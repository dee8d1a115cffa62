import ArgumentParser
import FlagChanges

/// `NAME=SOURCE`, `NAME=SOURCE:ro`, or `NAME=https://…` for another Flagboard.
struct ProviderOption: Hashable, Sendable {
    let name: String
    let source: String
    let isReadOnly: Bool

    /// Whether the source is another Flagboard.
    var isRemote: Bool { source.wholeMatch(of: /(?i)https?:\/\/.*/) != nil }

    /// The names that mean something else wherever a source is named, with what they mean.
    private static let reservedNames = [
        (FlagFiles.localProviderName, "FILE itself has that name"),
        ("default", "the pages call a flag's own default so"),
        ("effective", "the pages call what a read returns so"),
        ("computed", "the pages call a default that code computes so"),
    ]

    /// Reads the option's value.
    ///
    /// - Throws: `ValidationError` (exit code 64) that says what is wrong with it.
    init(argument: String) throws {
        let bytes = argument.utf8
        let ending = ":ro"
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw ValidationError("write it as NAME=SOURCE, such as Team=team.xml; there is no = in it.")
        }
        let rest = bytes[bytes.index(after: equals)...]
        isReadOnly = rest.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        let source = String(isReadOnly ? rest.dropLast(ending.utf8.count) : rest) ?? ""
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
    }
}
