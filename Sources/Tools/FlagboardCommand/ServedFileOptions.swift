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
