import ArgumentParser
import FlagChanges
import Flagboard
import Foundation

/// `flagboard token list FILE`.
struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens: name, role, when each was made and when it ends.")

    @OptionGroup var options: Token.Options

    func run() async throws {
        let json = try options.printsJSON
        try await options.withTokens { file in
            let now = Date()
            let rows = try file.tokens().map { Row($0, at: now) }
            if json { return try CommandOutput.print(json: rows) }
            guard !rows.isEmpty else { return try CommandOutput.print("There are no tokens.") }
            for row in rows {
                let end = row.expires.map { "\(row.isExpired ? "expired" : "expires") \(Self.text($0))" }
                try CommandOutput.print(
                    lines: "\(row.name)  \(row.role)  made \(Self.text(row.created))  \(end ?? "does not expire")")
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
