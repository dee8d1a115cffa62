import ArgumentParser
import FeatureFlags
import FlagChanges
import Foundation

/// The providers of `serve` after FILE, and the options of some kinds.
struct ProviderOptions: ParsableArguments {
    /// The kinds of sources that aren't files.
    static let kinds: [any FollowedProvider.Type] = [ReplicaSettings.self]

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp(
            """
            Another values file to read after FILE. :ro makes it read-only; :env makes it another environment, shown \
            beside FILE but never used for its values. With :defaults[=PREFIX], :override[=PREFIX] or \
            :dictionary[=KEY], the file is a UserDefaults property list in that layout. \
            \(kinds.map { $0.help }.joined(separator: " ")) Can be repeated.
            """,
            valueName: (["NAME=SOURCE[:ro][:env]"] + kinds.map { "\($0.prefixes[0])…" }).joined(separator: "|")),
        transform: ProviderOption.init(argument:))
    var providers: [ProviderOption] = []

    @Option(
        help: ArgumentHelp("A file with an API token for the other Flagboard server.", valueName: "F"),
        completion: .file())
    var providerToken: String?

    @Option(
        name: .customLong("provider-ca"),
        help: ArgumentHelp(
            "The certificate authorities to trust for the other Flagboard server, in PEM (default: the system's).",
            valueName: "F"), completion: .file())
    var providerCA: String?
}

/// `NAME=SOURCE`, a file or a source of one of the ``ProviderOptions/kinds``, then `:ro`, `:env`, or both.
struct ProviderOption: Hashable, Sendable {
    let name: String
    let source: String
    let isReadOnly: Bool
    /// True for values of another environment, which reads don't use.
    let isEnvironment: Bool
    /// The form of the flags in a property list of `UserDefaults`; `nil` for any other source.
    let defaultsForm: UserDefaultsProvider.Form?
    /// The start of every key there.
    let keyPrefix: String

    /// The kind of the source; `nil` for a file.
    var kind: (any FollowedProvider.Type)? { ProviderOptions.kind(of: source) }

    /// Names with another meaning where a source is named, and that meaning.
    private static let reservedNames = [
        (FlagFiles.localProviderName, "FILE itself has this name"),
        ("default", "it is the dashboard's name for a flag's default"),
        ("effective", "it is the dashboard's name for the value in use"),
        ("computed", "it is the dashboard's name for a default computed by code"),
    ]

    private static let endings = [":ro", ":env"]

    init(argument: String) throws {
        let bytes = argument.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw ValidationError("use NAME=SOURCE, such as Team=team.xml; the = is missing.")
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
        let (text, form, keyPrefix) = Self.defaultsForm(of: String(rest) ?? "")
        let source = text
        (defaultsForm, self.keyPrefix) = (form, keyPrefix)
        let name = String(bytes[..<equals]) ?? ""
        guard !name.isEmpty, name.allSatisfy({ !$0.isNewline }) else {
            throw ValidationError("use NAME=SOURCE, such as Team=team.xml; the name before = is empty.")
        }
        guard !source.isEmpty else {
            throw ValidationError("use NAME=SOURCE, such as Team=team.xml; the file after = is missing.")
        }
        try Self.checkName(name)
        self.name = name
        self.source = source
        if isEnvironment, form != nil {
            throw ValidationError("UserDefaults can't be another environment. Remove :env.")
        }
        if isEnvironment, let refusal = kind?.definitions?.ofEnvironment { throw ValidationError(refusal) }
    }

    /// Refuses a name with another meaning; that of FILE itself only for other files.
    static func checkName(_ name: String, isOfFile: Bool = false) throws {
        let taken = reservedNames.dropFirst(isOfFile ? 1 : 0)
        if let (reserved, why) = taken.first(where: { $0.0.lowercased() == name.lowercased() }) {
            throw ValidationError("a provider can't be named \(reserved) because \(why). Choose another name.")
        }
    }

    /// Takes `:defaults`, `:override` or `:dictionary` off the end, each with the text after its `=`.
    private static func defaultsForm(
        of source: String
    ) -> (source: String, form: UserDefaultsProvider.Form?, keyPrefix: String) {
        guard let match = source.wholeMatch(of: /(.+):(defaults|override|dictionary)(?:=(.*))?/) else {
            return (source, nil, "")
        }
        let given = match.3.map(String.init)
        return switch match.2 {
        case "override": (String(match.1), .override, given ?? "Override_")
        case "dictionary": (String(match.1), .dictionary(given ?? "toggles"), "")
        default: (String(match.1), .values, given ?? "")
        }
    }
}
