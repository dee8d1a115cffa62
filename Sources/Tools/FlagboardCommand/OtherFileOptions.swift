import ArgumentParser
import FlagChanges

/// The values files beside FILE that a command is about.
struct OtherFileOptions: ParsableArguments {
    @Option(
        name: .customLong("also"),
        help: ArgumentHelp(
            "Another values file, to ask after FILE or beside it, as serve's --provider names it. May be given several times.",
            valueName: "NAME=SOURCE[:ro][:env]"),
        transform: ProviderOption.init(argument:))
    var others: [ProviderOption] = []

    /// All files of a command.
    ///
    /// - Parameters:
    ///   - variables: The environment, where the command line is silent.
    ///   - tokens: The file of the tokens, where the command has an option for it.
    /// - Throws: `ValidationError` where two have the same name, or an option can't be.
    func files(
        _ served: ServedFileOptions, _ variables: FlagboardEnvironment, tokens: String? = nil
    ) throws -> FlagFiles {
        let files = try served.files(variables, tokens: tokens, providers: others)
        let names = files.providers.map(\.name)
        guard Set(names).count == names.count else {
            throw ValidationError("Two values files have the same name: give each --also a name of its own.")
        }
        return files
    }
}
