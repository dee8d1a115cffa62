import ArgumentParser
import FeatureFlags

struct FlagExplain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what each provider has for a flag, which one is in use, and who changed the flag last.",
        discussion:
            "With --json, prints {\"flag\": the flag as in get --json, \"lastChange\": a row of the history, if there "
            + "is one}.")

    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The flag's key path.")
    var key: KeyArgument

    func run() async throws {
        try await target.run(to: .looking) { client in
            let document = try await client.get(key.path).json
            ShownFlag(document).cautions.forEach(CommandOutput.warn)
            let rows = try await client.get("/api/v1/history", [("key", key.key.text)]).json["changes"]?.items ?? []
            // A refusal changed nothing, nor did a reason that was given later.
            let last = rows.first { !["denied", "note"].contains($0["kind"]?.text) }
            if try target.printsJSON {
                let members = ["flag": document, "lastChange": last].compactMapValues { $0 }
                return try CommandOutput.print(FlagJSON.line(.object(members)))
            }
            let flag = ShownFlag(document)
            let apps = flag.providers.allSatisfy(\.isAsked) ? [] : try await Self.providersOfApps(client)
            try CommandOutput.print(text(flag, last, apps))
        }
    }

    /// Returns the names of the providers in running apps, and of what these apps read.
    private static func providersOfApps(_ client: FlagboardClient) async throws -> Set<String> {
        let providers = try await client.get("/api/v1/providers").json["providers"]?.items ?? []
        return Set(providers.filter { $0["kind"]?.text == "app" }.compactMap { $0["name"]?.text })
    }

    private static func place(of provider: ShownFlag.Provider, _ apps: Set<String>) -> String {
        if provider.isAsked { return "" }
        return apps.contains(provider.name) ? " (in the running app)" : " (not used by the app that reads this file)"
    }

    private func text(_ flag: ShownFlag, _ last: JSONValue?, _ apps: Set<String>) -> String {
        let terminal = Terminal.standardOutput
        var lines = [terminal.bold(flag.key) + (flag.name == flag.key ? "" : "  \(flag.name)")]
        if let description = flag.description { lines.append(Terminal.line(description)) }
        let age = flag.isStale ? ", its last good value" : ""
        lines.append(
            flag.value.map { "Value: \(ShownFlag.line($0)), from \(flag.source)\(age)" }
                ?? "Value: \(flag.isComputed ? "computed by the app at each read, so not available here" : "none")"
        )
        lines.append("Type: \(flag.type)")
        lines.append("Providers, highest priority first:")
        let sources =
            flag.providers.map { ($0.name, $0.value + Self.place(of: $0, apps), $0.name == flag.winner) }
            + [
                (
                    "default",
                    flag.defaultValue.map(ShownFlag.line) ?? (flag.isDefaultComputed ? "computed by the app" : "none"),
                    flag.winner == nil && flag.value != nil
                )
            ]
        lines +=
            TextTable(
                sources.map { ["  \(Terminal.line($0))", $1, $2 ? "← in use" : ""] }
            ).lines
        if flag.isLocked { lines.append("Locked. An admin must unlock it before it can be changed.") }
        if let reason = flag.deprecation {
            lines.append("Deprecated\(reason.isEmpty ? "; don't use it in new code." : ": \(Terminal.line(reason))")")
        }
        if flag.requiresRestart { lines.append("Changes apply after the app restarts.") }
        lines.append("Last change: \(last.map(ShownChange.init).map(\.line) ?? "none in the history")")
        return lines.joined(separator: "\n")
    }
}
