import ArgumentParser
import FlagChanges
import Flagboard
import Foundation

/// `flagboard token add FILE --name NAME --role ROLE`.
struct TokenAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a token. It is printed once; only its hash is kept.")

    @OptionGroup var options: Token.Options

    @Option(
        help: ArgumentHelp("The person or program it is for; shown in the history beside each change.", valueName: "N"))
    var name: String

    @Option(
        help: ArgumentHelp("viewer reads, editor changes values, admin changes everything.", valueName: "R"))
    var role: ChangeAuthor.Role

    @Option(
        help: ArgumentHelp("After how many days, 30d, or on which day, 2030-01-31, it ends.", valueName: "T"),
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
                CommandOutput.note("This is the token of \(name). Keep it: it is not shown again.")
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
