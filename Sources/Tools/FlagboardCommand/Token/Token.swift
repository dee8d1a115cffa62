import ArgumentParser
import FlagChanges
import Flagboard
import Foundation

/// `flagboard token`: who may sign in to a dashboard.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list and revoke the tokens that people and programs sign in with.",
        discussion: """
            They are kept, as hashes, in a file beside FILE: FILE's name with .tokens.json. A server that runs takes up \
            each change at once.
            """,
        subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self])

    /// What every one of them takes.
    struct Options: ParsableArguments {
        @Argument(help: "The values: an XML property list, such as flags.xml.", completion: .file())
        var file: String

        @Option(help: ArgumentHelp("The tokens (default: beside FILE, FILE's name with .tokens.json).", valueName: "F"))
        var tokens: String?

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var waiting: TimeoutOptions

        private var variables: FlagboardEnvironment { .current }

        var printsJSON: Bool { get throws { try json || variables.bool("JSON") } }

        /// Runs a body on the file of tokens; says what is wrong where that fails, and ends with exit code 1.
        func withTokens(_ body: (TokensFile) async throws -> Void) async throws {
            do {
                let files = try variables.files(values: file, tokens: tokens)
                try files.checkDistinct()
                guard FileManager.default.fileExists(atPath: files.values.path(percentEncoded: false)) else {
                    throw StartError("\(file): there is no such file; give the file of values that is served.")
                }
                try await body(TokensFile(files.tokens, patience: try waiting.duration))
            } catch {
                throw CommandOutput.failure(error)
            }
        }
    }

}

/// `flagboard token revoke FILE NAME`.
struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token: its holder is signed out and can't sign in with it again.")

    @OptionGroup var options: Token.Options

    @Argument(help: "The token's name.")
    var name: String

    func run() async throws {
        let json = try options.printsJSON
        try await options.withTokens { try await $0.revoke(name: name) }
        if json {
            try CommandOutput.print(json: ["revoked": name])
        } else {
            try CommandOutput.print(lines: "The token of \(name) is revoked.")
        }
    }
}
