import ArgumentParser
import Foundation

/// The options of `serve` from the environment, such as `--port` from `FLAGBOARD_PORT`.
///
/// An option on the command line wins. A repeatable option has one value a line.
struct EnvironmentOptions {
    private struct Option: Equatable {
        let variable: String
        let argument: String
        /// More about the refusal of a value that may have been meant as several.
        let advice: String?
    }

    private let options: [Option]

    /// Finds the options that the arguments leave to the environment.
    ///
    /// - Throws: `ValidationError` for a flag that is neither true nor false.
    private init(for arguments: [String], _ environment: [String: String]) throws {
        let given = arguments.prefix { $0 != "--" }
        let variables = FlagboardEnvironment(environment)
        guard given.first == Serve._commandName, !given.contains("--help"), !given.contains("-h"), !variables.isEmpty
        else {
            options = []
            return
        }
        // A passed socket has its address.
        let passed = PassedSocket.count(environment) == nil ? [] : ["host", "port"]
        options = try Self.declared().flatMap { declared -> [Option] in
            guard let name = declared.preferredName?.name, !passed.contains(name),
                !given.contains(where: { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") })
            else { return [] }
            let variable = name.uppercased().replacing("-", with: "_")
            let values: [String] =
                switch declared.kind {
                case .flag: try variables.bool(variable) ? ["true"] : []
                case _ where declared.isRepeating: variables.lines(variable)
                // Kubernetes sets FLAGBOARD_PORT for a service named flagboard: tcp://10.0.0.1:8080.
                case _ where name == "port" && variables[variable]?.hasPrefix("tcp://") == true: []
                default: [variables[variable]].compactMap(\.self)
                }
            return values.map { value in
                Option(
                    variable: FlagboardEnvironment.prefix + variable,
                    argument: declared.kind == .flag ? "--\(name)" : "--\(name)=\(value)",
                    advice: declared.isRepeating ? FlagboardEnvironment.advice(onRefused: value) : nil)
            }
        }
    }

    /// The needed part of the argument parser's description of a command.
    private struct Help: Decodable {
        struct Argument: Decodable {
            enum Kind: String, Decodable { case positional, option, flag }
            struct Name: Decodable { let name: String }

            let kind: Kind
            let preferredName: Name?
            let isRepeating: Bool
        }

        struct Command: Decodable { let arguments: [Argument] }

        let command: Command
    }

    /// Without `--help` and `--version`, which are for people.
    private static func declared() throws -> [Help.Argument] {
        let help = try JSONDecoder().decode(Help.self, from: Data(Serve._dumpHelp().utf8))
        return help.command.arguments.filter { argument in
            argument.kind != .positional && !["help", "version"].contains(argument.preferredName?.name)
        }
    }

    /// Adds options from the environment; an error names the variable.
    static func parse(_ arguments: [String], _ environment: [String: String]) async throws -> any ParsableCommand {
        let options: [Option]
        do {
            options = try EnvironmentOptions(for: arguments, environment).options
        } catch let refusal as ValidationError {
            return try await Serve.$refusal.withValue(refusal) { try await parse(arguments, []) }
        }
        do {
            return try await parse(arguments, options)
        } catch {
            let message = FlagboardCommand.message(for: error)
            for option in options {
                let others = options.filter { $0 != option }
                guard await Self.message(arguments, others) != message else { continue }
                // The message shows only what may be shown of a value: an address may contain a password.
                let text = [message, option.advice].compactMap(\.self).joined(separator: " ")
                let refusal = ValidationError("\(option.variable): \(text)")
                return try await Serve.$refusal.withValue(refusal) { try await parse(arguments, others) }
            }
            throw error
        }
    }

    private static func parse(_ arguments: [String], _ options: [Option]) async throws -> any ParsableCommand {
        try await FlagboardCommand.asyncParseAsRoot(
            arguments.prefix(1) + options.map(\.argument) + arguments.dropFirst())
    }

    /// Returns the message of the refusal; `nil` if the arguments are fine.
    private static func message(_ arguments: [String], _ options: [Option]) async -> String? {
        do {
            _ = try await parse(arguments, options)
            return nil
        } catch {
            return FlagboardCommand.message(for: error)
        }
    }
}
