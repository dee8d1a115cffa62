import ArgumentParser
import FeatureFlagsXML
import FlagChanges
import FlagReplicas
import Foundation

/// The variables whose names begin with `FLAGBOARD_`.
struct FlagboardEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    subscript(name: String) -> String? {
        variables["FLAGBOARD_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func integer(_ name: String) throws -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text) else { throw ValidationError("FLAGBOARD_\(name) is \"\(text)\", not a number.") }
        return number
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice? {
        guard let text = self[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("FLAGBOARD_\(name) is \"\(text)\"; it must be one of \(words).")
        }
        return choice
    }

    func bool(_ name: String) throws -> Bool {
        switch self[name] {
        case nil, "false", "0", "no": false
        case "true", "1", "yes": true
        case .some(let text): throw ValidationError("FLAGBOARD_\(name) is \"\(text)\"; it must be true or false.")
        }
    }

    /// The values of a variable that holds several, one a line.
    func lines(_ name: String) -> [String] {
        (self[name] ?? "").split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The variables of this process.
    static var current: FlagboardEnvironment { FlagboardEnvironment(ProcessInfo.processInfo.environment) }

    /// The most bytes that are read of a file, from the command line, else from the environment.
    private func maximumFileSize(_ option: FileSizeOption?) throws -> Int {
        if let option { return option.bytes }
        guard let text = self["MAX_FILE_SIZE"] else { return PropertyListDocument.maximumSize }
        do {
            return try FileSizeOption(argument: text).bytes
        } catch let error as ValidationError {
            throw ValidationError("FLAGBOARD_MAX_FILE_SIZE: \(error.message)")
        }
    }

    /// The files that a command is about: as the command line names them, else as the environment does.
    func files(
        values: String, manifest: String? = nil, history: String? = nil, tokens: String? = nil,
        providers: [ProviderOption] = [], maximumFileSize: FileSizeOption? = nil
    ) throws -> FlagFiles {
        func url(_ option: String?, _ name: String) -> URL? { (option ?? self[name]).map { URL(filePath: $0) } }
        func files(_ others: [FlagFiles.Provider]) throws -> FlagFiles {
            FlagFiles(
                values: URL(filePath: values), manifest: url(manifest, "MANIFEST"), history: url(history, "HISTORY"),
                tokens: url(tokens, "TOKENS"), others: others,
                maximumFileSize: try self.maximumFileSize(maximumFileSize))
        }
        let alone = try files([])
        return try files(
            (providers.isEmpty ? self.providers() : providers).map { provider in
                guard provider.isRemote else {
                    return FlagFiles.Provider(
                        name: provider.name, url: URL(filePath: provider.source), isWritable: !provider.isReadOnly,
                        isAsked: !provider.isEnvironment)
                }
                let copy = ReplicaFiles(
                    beside: alone.values, of: provider.name, manifest: alone.manifest)
                return FlagFiles.Provider(
                    name: provider.name, url: copy.values, isWritable: false, isAsked: !provider.isEnvironment,
                    origin: provider.source)
            })
    }

    /// The banner.
    func banner() throws -> BannerOption? {
        try self["BANNER"].map { text in
            do {
                return try BannerOption(argument: text)
            } catch let error as ValidationError {
                throw ValidationError("FLAGBOARD_BANNER is \"\(text)\": \(error.message)")
            }
        }
    }

    /// Providers in one variable, separated by newlines.
    func providers() throws -> [ProviderOption] {
        try lines("PROVIDER").map { line in
            do {
                return try ProviderOption(argument: line)
            } catch let error as ValidationError {
                throw ValidationError("FLAGBOARD_PROVIDER is \"\(line)\": \(error.message)")
            }
        }
    }
}
