import ArgumentParser
import DurableFiles
import FeatureFlagsXML
import FlagChanges
import Flagboard
import Foundation

struct ServedFileOptions: ParsableArguments {
    @Argument(help: "The values file: an XML property list, such as flags.xml.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The manifest (default: beside FILE, FILE's name with .manifest.xml).", valueName: "F"),
        completion: .file())
    var manifest: String?

    @Option(
        help: ArgumentHelp("The history (default: beside FILE, FILE's name with .history.sqlite).", valueName: "F"),
        completion: .file())
    var history: String?

    @Option(
        name: .customLong("max-file-size"),
        help: ArgumentHelp(
            """
            The maximum size of a values file or manifest (default: \
            \(FileSizeOption.text(PropertyListDocument.maximumSize)); at most 1G).
            """,
            valueName: "SIZE"),
        transform: FileSizeOption.init(argument:))
    var maximumFileSize: FileSizeOption?

    // No option group: each level of groups takes a debug build four times as long to check.
    @Option(name: .customLong("timeout"), help: CommandTimeout.help)
    var timeout: CommandTimeout?

    func validate() throws { _ = try patience }

    /// The longest wait for another process.
    var patience: Duration { get throws { try CommandTimeout.duration(timeout) } }

    /// Returns the files, named by these options or else by the environment.
    func files(
        _ variables: FlagboardEnvironment, environment: String? = nil, tokens: String? = nil,
        providers: [ProviderOption] = []
    ) throws -> FlagFiles {
        try variables.files(
            values: file, environment: environment, manifest: manifest, history: history, tokens: tokens,
            providers: providers,
            maximumFileSize: maximumFileSize)
    }
}

struct OtherFileOptions: ParsableArguments {
    @Option(
        name: .customLong("also"),
        help: ArgumentHelp(
            """
            Another values file to read after FILE or show beside it, named as in serve's --provider. Can be repeated.
            """,
            valueName: "NAME=SOURCE[:ro][:env]"),
        transform: ProviderOption.init(argument:))
    var others: [ProviderOption] = []

    /// Returns all files of a command, whose names must differ.
    func files(
        _ served: ServedFileOptions, _ variables: FlagboardEnvironment, tokens: String? = nil
    ) throws -> FlagFiles {
        let files = try served.files(variables, tokens: tokens, providers: others)
        let names = files.providers.map(\.name) + files.defaults.map(\.name)
        guard Set(names).count == names.count else {
            throw ValidationError("Two values files have the same name. Give each --also a different name.")
        }
        return files
    }
}

extension FlagboardEnvironment {
    /// In bytes, from the command line or else the environment.
    private func maximumFileSize(_ option: FileSizeOption?) throws -> Int {
        if let option { return option.bytes }
        guard let text = self["MAX_FILE_SIZE"] else { return PropertyListDocument.maximumSize }
        do {
            return try FileSizeOption(argument: text).bytes
        } catch let error as ValidationError {
            throw ValidationError("FLAGBOARD_MAX_FILE_SIZE: \(error.message)")
        }
    }

    /// Returns the files, named by the command line or else the environment.
    func files(
        values: String, environment: String? = nil, manifest: String? = nil, history: String? = nil,
        tokens: String? = nil, providers: [ProviderOption] = [], maximumFileSize: FileSizeOption? = nil
    ) throws -> FlagFiles {
        let environment = try environment ?? self.environment()?.banner.text
        func url(_ option: String?, _ name: String) -> URL? { (option ?? self[name]).map { URL(argument: $0) } }
        func files(_ others: [FlagFiles.Provider]) throws -> FlagFiles {
            FlagFiles(
                values: URL(argument: values), environment: environment, manifest: url(manifest, "MANIFEST"),
                history: url(history, "HISTORY"),
                tokens: url(tokens, "TOKENS"), others: others,
                maximumFileSize: try self.maximumFileSize(maximumFileSize))
        }
        let alone = try files([])
        let options = try providers.isEmpty ? self.providers() : providers
        var made = try files(
            options.filter { $0.defaultsForm == nil }.map { provider in
                guard let kind = provider.kind else {
                    return FlagFiles.Provider(
                        name: provider.name, url: URL(argument: provider.source), isWritable: !provider.isReadOnly,
                        isAsked: !provider.isEnvironment)
                }
                return FlagFiles.Provider(
                    name: provider.name, url: ProviderOptions.copy(of: provider.name, kind, beside: alone),
                    isWritable: false,
                    isAsked: !provider.isEnvironment,
                    origin: provider.source)
            })
        made.defaults = options.enumerated().compactMap { place, option in
            option.defaultsForm.map { form in
                DefaultsFile(
                    name: option.name, url: URL(argument: option.source), form: form, keyPrefix: option.keyPrefix,
                    isWritable: !option.isReadOnly,
                    filesBefore: 1 + options[..<place].count { $0.defaultsForm == nil })
            }
        }
        return made
    }

    /// Returns the environment of the main file; `nil` if it has none.
    private func environment() throws -> BannerOption? {
        guard let text = self["ENVIRONMENT"] else { return nil }
        do {
            return try .environment(text)
        } catch let error as ValidationError {
            throw ValidationError("FLAGBOARD_ENVIRONMENT: \(error.message)")
        }
    }

    /// Returns the rules of the main file's environment.
    func rules() throws -> EnvironmentRules {
        EnvironmentRules(
            requiresReason: try bool("REQUIRE_REASON"), confirmsChanges: try bool("CONFIRM_CHANGES"))
    }

    /// Returns the providers in one variable, separated by newlines.
    func providers() throws -> [ProviderOption] {
        try lines("PROVIDER").map { line in
            do {
                return try ProviderOption(argument: line)
            } catch let error as ValidationError {
                let message = [error.message, Self.advice(onRefused: line)].compactMap(\.self).joined(separator: " ")
                throw ValidationError("FLAGBOARD_PROVIDER is \"\(line)\": \(message)")
            }
        }
    }
}

extension FlagFiles {
    /// Throws if the values file is missing, or two files are one.
    func checkServed(as argument: String) throws {
        try checkDistinct()
        guard FileManager.default.fileExists(atPath: values.path(percentEncoded: false)) else {
            throw PlainError("\(argument) doesn't exist. Specify a values file.")
        }
    }
}

extension URL {
    /// The path of a values file or of what is beside it, as it was typed.
    ///
    /// The current folder may have been entered by a link, such as `current`, that is pointed elsewhere later. The system
    /// knows the folder alone, and the shell the link.
    init(argument path: String) {
        let here = FileManager.default.currentDirectoryPath
        guard !path.hasPrefix("/"), let shown = ProcessInfo.processInfo.environment["PWD"], shown.hasPrefix("/"),
            shown != here, URL(filePath: shown).resolvingSymlinksInPath().path == here
        else {
            self.init(filePath: path)
            return
        }
        self.init(filePath: shown.hasSuffix("/") ? shown + path : "\(shown)/\(path)")
    }
}
