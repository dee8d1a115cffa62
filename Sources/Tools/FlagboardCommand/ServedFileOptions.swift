import ArgumentParser
import FeatureFlagsXML
import FlagChanges
import Foundation

/// The values file that a command is about, and the files that belong to it.
struct ServedFileOptions: ParsableArguments {
    @Argument(help: "The values: an XML property list, such as flags.xml.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The definitions (default: beside FILE, FILE's name with .manifest.xml).", valueName: "F"))
    var manifest: String?

    @Option(help: ArgumentHelp("The history (default: beside FILE, FILE's name with .history.sqlite).", valueName: "F"))
    var history: String?

    @Option(
        name: .customLong("max-file-size"),
        help: ArgumentHelp(
            "The most bytes that are read of a values file or the manifest (default: \(FileSizeOption.text(PropertyListDocument.maximumSize)); at most 1G).",
            valueName: "SIZE"),
        transform: FileSizeOption.init(argument:))
    var maximumFileSize: FileSizeOption?

    @OptionGroup var waiting: TimeoutOptions

    /// The files that these options name, and where they are silent the environment.
    func files(
        _ variables: FlagboardEnvironment, tokens: String? = nil, providers: [ProviderOption] = []
    ) throws -> FlagFiles {
        try variables.files(
            values: file, manifest: manifest, history: history, tokens: tokens, providers: providers,
            maximumFileSize: maximumFileSize)
    }
}

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
