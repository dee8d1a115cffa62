import ArgumentParser
import FeatureFlags
import Flagboard

struct FlagList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List flags with their key path, value, source and status.",
        discussion: """
            The filters match those of the dashboard's list. With --json, prints the document of GET /api/v1/flags: \
            {"flags": […]}.
            """)

    @OptionGroup var target: FlagFileOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Only flags that contain these words.", valueName: "WORDS"))
    var query: String?

    @Option(
        help: ArgumentHelp(
            "Only flags with this status. With several, separated by commas, only flags that match all.",
            valueName: "STATE"))
    var state: StateWords?

    @Option(
        help: ArgumentHelp(
            "Only flags with this tag; give it several times for flags with all of them.", valueName: "TAG"),
        completion: FlagCompletion.tags)
    var tag: [String] = []

    @Option(
        help: ArgumentHelp("Only flags in this group, by its key path.", valueName: "KEY"),
        completion: FlagCompletion.groups)
    var group: String?

    @Option(
        help: ArgumentHelp("Only flags with this owner.", valueName: "NAME"),
        completion: FlagCompletion.owners)
    var owner: String?

    @Option(help: ArgumentHelp("Only flags of this type.", valueName: "TYPE"))
    var type: FlagType?

    @Option(
        help: ArgumentHelp("Only flags whose value comes from this provider, or from default.", valueName: "NAME"),
        completion: FlagCompletion.providers)
    var provider: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The sort order (default: manifest order). A leading - reverses it.", valueName: "ORDER")
    )
    var sort: FlagFilter.Sort?

    func run() async throws {
        let query: [(String, String?)] = [
            ("q", self.query), ("state", state?.text), ("tag", tag.isEmpty ? nil : tag.joined(separator: ",")),
            ("owner", owner), ("group", group),
            ("type", type?.rawValue), ("provider", provider), ("sort", sort?.rawValue),
        ]
        try await target.run(to: .looking) { client in
            let answer = try await client.get("/api/v1/flags", query)
            let flags = try answer.json["flags"]?.items ?? []
            if flags.isEmpty, let provider { try await Self.find(provider, client) }
            let shown = flags.map(ShownFlag.init)
            Self.tell(shown)
            guard try !target.printsJSON else { return try CommandOutput.print(answer.text) }
            try print(shown)
        }
    }

    /// The most warnings that are printed one by one; more are counted.
    private static let mostCautions = 3

    /// Warns of values that their sources don't currently have.
    private static func tell(_ flags: [ShownFlag]) {
        let cautions = flags.flatMap(\.cautions)
        cautions.prefix(mostCautions).forEach(CommandOutput.warn)
        guard cautions.count > mostCautions else { return }
        let stale = flags.count(where: \.isStale)
        CommandOutput.warn(
            "\(cautions.count) values are affected by broken providers; \(stale) of them are stale.")
    }

    /// Refuses an unknown provider, which would match no flag.
    private static func find(_ provider: String, _ client: FlagboardClient) async throws {
        let providers = try await client.get("/api/v1/providers").json["providers"]?.items ?? []
        let names = providers.compactMap { $0["name"]?.text } + ["default"]
        guard !names.contains(provider) else { return }
        let known = names.joined(separator: ", ")
        throw CommandRefusal(
            "Provider \(Terminal.line(provider)) not found. Available: \(known).", exit: .validationFailure)
    }

    private func print(_ flags: [ShownFlag]) throws {
        guard !flags.isEmpty else { return CommandOutput.note("No flags match.") }
        let terminal = Terminal.standardOutput
        let rows = flags.map { flag in
            [flag.key, (flag.value.map(ShownFlag.line) ?? "–").shortened, flag.source, flag.words]
        }
        let lines = TextTable([["KEY", "VALUE", "SOURCE", "STATE"]] + rows).lines
        try CommandOutput.print(terminal.bold(lines[0]))
        try CommandOutput.print(lines.dropFirst().joined(separator: "\n"))
    }
}

extension String {
    fileprivate var shortened: String { count > 60 ? "\(prefix(59))…" : self }
}
