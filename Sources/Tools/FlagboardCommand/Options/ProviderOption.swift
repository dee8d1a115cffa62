import ArgumentParser
import FlagChanges

/// `NAME=SOURCE`, where SOURCE is a file, or `https://…` for another Flagboard; after it `:ro`, `:env`, or both.
struct ProviderOption: Hashable, Sendable {
    let name: String
    let source: String
    let isReadOnly: Bool
    /// Whether the values are those of another environment, which a read doesn't ask for any.
    let isEnvironment: Bool

    /// Whether the source is another Flagboard.
    var isRemote: Bool { source.wholeMatch(of: /(?i)https?:\/\/.*/) != nil }

    /// The names that mean something else wherever a source is named, with what they mean.
    private static let reservedNames = [
        (FlagFiles.localProviderName, "FILE itself has that name"),
        ("default", "the pages call a flag's own default so"),
        ("effective", "the pages call what a read returns so"),
        ("computed", "the pages call a default that code computes so"),
    ]

    /// What may follow the source.
    private static let endings = [":ro", ":env"]

    /// Reads the option's value.
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
        guard !isEnvironment || !isRemote else {
            throw ValidationError(
                "the flags of another Flagboard can't be another environment here, since their definitions come with them: "
                    + "leave :env out, or name a file.")
        }
    }
}
