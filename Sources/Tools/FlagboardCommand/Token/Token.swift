import ArgumentParser
import Flagboard
import FlagChanges
import Foundation

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create, list and revoke tokens for people and programs.",
        discussion: """
            Tokens are stored as hashes in a file beside FILE: FILE's name with .tokens.json. A running server applies \
            changes immediately.
            """,
        subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self])

    struct Options: ParsableArguments {
        @Argument(help: "The values file: an XML property list, such as flags.xml.", completion: .file())
        var file: String

        @Option(
            help: ArgumentHelp("The tokens (default: beside FILE, FILE's name with .tokens.json).", valueName: "F"),
            completion: .file())
        var tokens: String?

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var waiting: TimeoutOptions

        private var variables: FlagboardEnvironment { .current }

        var printsJSON: Bool { get throws { try json || variables.bool("JSON") } }

        /// Reports a failure, and ends with exit code 1.
        func withTokens(_ body: (TokensFile) async throws -> Void) async throws {
            do {
                let files = try variables.files(values: file, tokens: tokens)
                try files.checkServed(as: file)
                try await body(TokensFile(files.asServed().tokens, patience: try waiting.duration))
            } catch {
                throw CommandOutput.failure(error)
            }
        }
    }

}

struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token. Its sessions end, and it can't be used to sign in.")

    @OptionGroup var options: Token.Options

    @Argument(help: "The token's name.")
    var name: String

    func run() async throws {
        let json = try options.printsJSON
        try await options.withTokens { try await $0.revoke(name: name) }
        if json {
            try CommandOutput.print(json: ["revoked": name])
        } else {
            try CommandOutput.print(lines: "Revoked the token for \(name).")
        }
    }
}

struct TokenAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a token. It is printed once; only its hash is stored.")

    @OptionGroup var options: Token.Options

    @Option(
        help: ArgumentHelp("The person or program that the token is for, shown in the history.", valueName: "N"))
    var name: String

    @Option(
        help: ArgumentHelp("viewer: read only; editor: change values; admin: full access.", valueName: "R"))
    var role: ChangeAuthor.Role

    @Option(
        help: ArgumentHelp(
            "When the token expires: after a number of days (30d) or at the end of a day (2030-01-31).", valueName: "T"),
        transform: { text in
            guard let time = TokenExpiry.time(text, at: Date()) else { throw ValidationError("\(TokenExpiry.advice).") }
            return time
        })
    var expires: Date?

    func run() async throws {
        let json = try options.printsJSON
        try await options.withTokens { file in
            let (secret, token) = try await file.add(name: name, role: role, expires: expires, at: Date())
            if json {
                try CommandOutput.print(
                    json: Made(name: name, role: role.rawValue, expires: token.expires, token: secret))
            } else {
                CommandOutput.note("This is the token for \(name). Copy it now. You won't see it again.")
                try CommandOutput.print(secret)
            }
        }
    }

    private struct Made: Encodable {
        let name: String
        let role: String
        let expires: Date?
        let token: String
    }
}

struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List tokens with name, role, creation time and expiry.")

    @OptionGroup var options: Token.Options

    func run() async throws {
        let json = try options.printsJSON
        try await options.withTokens { file in
            let now = Date()
            let rows = try file.tokens().map { Row($0, at: now) }
            if json { return try CommandOutput.print(json: rows) }
            guard !rows.isEmpty else {
                return try CommandOutput.print("No tokens yet. Create one with flagboard token add.")
            }
            for row in rows {
                let end = row.expires.map { "\(row.isExpired ? "expired" : "expires") \(Self.text($0))" }
                try CommandOutput.print(
                    lines: "\(row.name)  \(row.role)  created \(Self.text(row.created))  \(end ?? "no expiry")")
            }
        }
    }

    private struct Row: Encodable {
        let name: String
        let role: String
        let created: Date
        let expires: Date?
        let isExpired: Bool

        init(_ token: NamedToken, at now: Date) {
            name = token.name
            role = token.role.rawValue
            created = token.created
            expires = token.expires
            isExpired = token.isExpired(at: now)
        }
    }

    private static func text(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt)) }
}
