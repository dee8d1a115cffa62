import ArgumentParser
import FeatureFlags
import FlagHistory

struct HistoryList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the newest rows, the newest first.",
        discussion: """
            The filters are those of the dashboard's history. With --json the document of GET /api/v1/history is printed; its \
            "before" is what --before takes for the next page.
            """)

    @OptionGroup var target: FlagFileOptions

    @Option(help: ArgumentHelp("Rows of one flag, by its key path.", valueName: "KEY"))
    var key: KeyArgument?

    @Option(help: ArgumentHelp("Rows of the flags of a group, by its key path.", valueName: "KEY"))
    var group: String?

    @Option(help: ArgumentHelp("Rows by one actor.", valueName: "NAME"))
    var actor: String?

    @Option(help: "Rows that came in one way.")
    var origin: HistoryRecord.Origin?

    @Option(help: "Rows of one kind.")
    var kind: HistoryRecord.Kind?

    @Option(help: ArgumentHelp("Rows of this day or time in UTC, or later.", valueName: "DATE"))
    var from: String?

    @Option(help: ArgumentHelp("Rows of this day or time in UTC, or earlier.", valueName: "DATE"))
    var to: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Rows that have this text.", valueName: "TEXT"))
    var query: String?

    @Option(help: ArgumentHelp("Rows before this one, by its number.", valueName: "ID"))
    var before: Int64?

    func run() async throws {
        let query: [(String, String?)] = [
            ("key", key?.key.text), ("group", group), ("actor", actor), ("origin", origin?.rawValue),
            ("kind", kind?.rawValue), ("from", from),
            ("to", to), ("q", self.query), ("before", before.map(String.init)),
        ]
        try await target.run(to: .looking) { client in
            let answer = try await client.get("/api/v1/history", query)
            guard try !target.printsJSON else { return try CommandOutput.print(answer.text) }
            let document = try answer.json
            let changes = (document["changes"]?.items ?? []).map(ShownChange.init)
            guard !changes.isEmpty else { return CommandOutput.note(try await nothingFound(client)) }
            try CommandOutput.print(changes.map(\.line).joined(separator: "\n"))
            if let before = document["before"]?.integer { CommandOutput.note("Older rows: --before \(before)") }
        }
    }

    /// Returns the message for no rows, with advice on a mistyped flag.
    private func nothingFound(_ client: FlagboardClient) async throws -> String {
        let text = "There is no such row."
        guard let key else { return text }
        do {
            _ = try await client.get(key.path)
            return text
        } catch let refusal as CommandRefusal where refusal.exit == .noSuchFlag {
            return "\(text) \(refusal.description)"
        }
    }
}

struct HistoryNote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Give a change a reason after it was made.",
        discussion: """
            The reason becomes a row of its own, which names the change: no row is ever changed. A change may be given several.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: ArgumentHelp("The number of the change, as history list prints it.", valueName: "ID"))
    var id: Int64

    @Argument(help: ArgumentHelp("Why it was made.", valueName: "REASON"))
    var reason: String

    func run() async throws {
        try await target.run(to: .changing) { client in
            let body = JSONValue.object(["reason": .scalar(.string(reason))])
            let answer = try await client.post("/api/v1/history/\(id)/notes", body)
            if try target.printsJSON { return try CommandOutput.print(answer.text) }
            guard let change = try answer.json["change"] else {
                throw CommandRefusal("the answer tells nothing of the reason: \(answer.text.prefix(200))")
            }
            try CommandOutput.print(ShownChange(change).line)
        }
    }
}
