import ArgumentParser
import FlagChanges
import Foundation

/// The providers of `serve` after FILE.
struct ProviderOptions: ParsableArguments {
    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp(
            "Another values file to ask after FILE; :ro makes it read-only, and :env another environment, which stands beside FILE and is never asked. With an address, the flags of another Flagboard. May be given several times.",
            valueName: "NAME=SOURCE[:ro][:env]|https://…"),
        transform: ProviderOption.init(argument:))
    var providers: [ProviderOption] = []

    @Option(
        help: ArgumentHelp("A file with the token that shows another Flagboard who asks.", valueName: "F"),
        completion: .file())
    var providerToken: String?

    @Option(
        name: .customLong("provider-ca"),
        help: ArgumentHelp(
            "The only authorities that its certificate may come from, in PEM (default: those of this machine).",
            valueName: "F"), completion: .file())
    var providerCA: String?
}

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
