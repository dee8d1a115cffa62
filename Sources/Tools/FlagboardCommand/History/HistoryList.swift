import ArgumentParser
import FeatureFlags
import FlagHistory

struct HistoryList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes, newest first.",
        discussion: """
            The filters match those of the dashboard's history. With --json, prints the document of GET \
            /api/v1/history; pass its "before" to --before for the next page.
            """)

    @OptionGroup var target: FlagFileOptions

    @Option(help: ArgumentHelp("Only changes to this flag, by its key path.", valueName: "KEY"))
    var key: KeyArgument?

    @Option(
        help: ArgumentHelp("Only changes to flags in this group, by its key path.", valueName: "KEY"),
        completion: FlagCompletion.groups)
    var group: String?

    @Option(help: ArgumentHelp("Only changes by this actor.", valueName: "NAME"))
    var actor: String?

    @Option(help: "Only changes made this way.")
    var origin: HistoryRecord.Origin?

    @Option(help: "Only changes of this kind.")
    var kind: HistoryRecord.Kind?

    @Option(help: ArgumentHelp("Only changes from this day or time (UTC) on.", valueName: "DATE"))
    var from: String?

    @Option(help: ArgumentHelp("Only changes up to this day or time (UTC).", valueName: "DATE"))
    var to: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Only changes that contain this text.", valueName: "TEXT"))
    var query: String?

    @Option(help: ArgumentHelp("Only changes before this one, by its number.", valueName: "ID"))
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
            ShownChange.warnOfAlteredRows(in: document)
            let changes = (document["changes"]?.items ?? []).map(ShownChange.init)
            guard !changes.isEmpty else { return CommandOutput.note(try await nothingFound(client)) }
            try CommandOutput.print(changes.map(\.line).joined(separator: "\n"))
            if let before = document["before"]?.integer {
                CommandOutput.note(
                    "For older changes, add --before \(before)")
            }
        }
    }

    /// Returns the message for no rows, with advice on a mistyped flag.
    private func nothingFound(_ client: FlagboardClient) async throws -> String {
        let text = "No changes match."
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
        commandName: "note", abstract: "Add a reason to a change after it was made.",
        discussion: """
            The reason is recorded as a row of its own that refers to the change; existing rows are never edited. You \
            can add several.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: ArgumentHelp("The number of the change, from history list.", valueName: "ID"))
    var id: Int64

    @Argument(help: ArgumentHelp("The reason.", valueName: "REASON"))
    var reason: String

    func run() async throws {
        try await target.run(to: .changing) { client in
            let body = JSONValue.object(["reason": .scalar(.string(reason))])
            let answer = try await client.post("/api/v1/history/\(id)/notes", body)
            if try target.printsJSON { return try CommandOutput.print(answer.text) }
            guard let change = try answer.json["change"] else {
                throw CommandRefusal("the response doesn't include the reason: \(answer.text.prefix(200))")
            }
            try CommandOutput.print(ShownChange(change).line)
        }
    }
}
