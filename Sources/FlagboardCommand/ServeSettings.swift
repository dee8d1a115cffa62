import ArgumentParser
import FlagChanges
import Foundation

/// What `serve` was asked for, from the command line and, where that is silent, from the environment.
struct ServeSettings: Sendable {
    let files: FlagFiles
    let host: String
    let port: Int
    let isReadOnly: Bool
    let showsInternal: Bool
    let opensBrowser: Bool
    let printsJSON: Bool

    /// Where the dashboard may listen as long as anybody is let in.
    private static let loopbackHosts = ["127.0.0.1", "::1", "localhost"]

    /// - Throws: `ValidationError` (exit code 64) for a setting that can't be.
    init(_ command: Serve, environment: [String: String]) throws {
        let variables = FlagboardEnvironment(environment)
        let manifest = command.manifest ?? variables["MANIFEST"]
        let history = command.history ?? variables["HISTORY"]
        let others = command.providers.isEmpty ? try variables.providers() : command.providers
        files = FlagFiles(
            values: URL(filePath: command.file), manifest: manifest.map { URL(filePath: $0) },
            history: history.map { URL(filePath: $0) },
            others: others.map {
                FlagFiles.Provider(name: $0.name, url: URL(filePath: $0.source), isWritable: !$0.isReadOnly)
            })
        let names = files.providers.map(\.name)
        guard Set(names).count == names.count else {
            throw ValidationError("Two providers have the same name: give each --provider a name of its own.")
        }
        host = command.host ?? variables["HOST"] ?? "127.0.0.1"
        guard Self.loopbackHosts.contains(host) else {
            let name = command.host == nil ? "FLAGBOARD_HOST" : "--host"
            throw ValidationError(
                "\(name): anybody who reaches \(host) would be let in; bind a loopback address: "
                    + Self.loopbackHosts.joined(separator: ", "))
        }
        port = try command.port ?? variables.integer("PORT") ?? 8080
        guard (0...65535).contains(port) else {
            let name = command.port == nil ? "FLAGBOARD_PORT" : "--port"
            throw ValidationError("\(name): \(port) is no port; it is 0 to 65535.")
        }
        if let access = variables["ACCESS"], Serve.Access(rawValue: access) == nil {
            throw ValidationError("FLAGBOARD_ACCESS is \"\(access)\"; it must be open.")
        }
        isReadOnly = try command.readOnly || variables.bool("READ_ONLY")
        showsInternal = try command.showInternal || variables.bool("SHOW_INTERNAL")
        opensBrowser = try !(command.noBrowser || variables.bool("NO_BROWSER"))
        printsJSON = try command.json || variables.bool("JSON")
    }
}

/// The variables whose names begin with `FLAGBOARD_`.
private struct FlagboardEnvironment {
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

    func bool(_ name: String) throws -> Bool {
        switch self[name] {
        case nil, "false", "0", "no": false
        case "true", "1", "yes": true
        case .some(let text): throw ValidationError("FLAGBOARD_\(name) is \"\(text)\"; it must be true or false.")
        }
    }

    /// Providers in one variable, separated by newlines.
    func providers() throws -> [ProviderOption] {
        try (self["PROVIDER"] ?? "").split(whereSeparator: \.isNewline).map { line in
            do {
                return try ProviderOption(argument: String(line))
            } catch let error as ValidationError {
                throw ValidationError("FLAGBOARD_PROVIDER is \"\(line)\": \(error.message)")
            }
        }
    }
}
