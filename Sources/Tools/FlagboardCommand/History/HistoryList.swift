import ArgumentParser
import FeatureFlags
import FlagHistory

/// `flagboard history FILE`: the newest rows.
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

    /// The message for no rows: the flag may be mistyped.
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
