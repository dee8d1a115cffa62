import ArgumentParser
import FeatureFlags
import Foundation

/// What every command takes that changes one flag, and how it is changed.
struct FlagEdit: ParsableArguments {
    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The flag's key path.")
    var key: KeyArgument

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var reason: String?

    /// Has the change made, and prints what became of it.
    ///
    /// - Parameters:
    ///   - members: What the change says beside its flag.
    ///   - check: Looks at the flag before.
    /// - Throws: The exit code.
    func make(
        _ members: [String: JSONValue],
        after check: @escaping @Sendable (FlagboardClient) async throws -> Void = { _ in }
    ) async throws {
        try await target.run(to: .changing) { client in
            try await check(client)
            var change = members
            change["key"] = .scalar(.string(key.key.text))
            let body = JSONValue.object([
                "changes": .array([.object(change)]), "reason": .scalar(.string(reason ?? "")),
            ])
            let answer = try await client.post("/api/v1/batches", body)
            guard let outcome = try answer.json["outcomes"]?.items?.first else {
                throw CommandRefusal("the answer tells nothing of the change: \(answer.text.prefix(200))")
            }
            if try target.printsJSON { return try CommandOutput.print(FlagJSON.line(outcome)) }
            try CommandOutput.print(Self.line(outcome, key.key))
            if let retyped = Self.retyped(outcome).sentence { CommandOutput.warn(Terminal.line(retyped)) }
        }
    }

    /// The parts that became another kind of value.
    private static func retyped(_ outcome: JSONValue) -> [RetypedPart] {
        (outcome["retyped"]?.items ?? []).compactMap { part in
            guard let path = part["path"]?.text, let key = FlagKeyPath(text: String(path.dropFirst())),
                let before = part["before"]?.text, let after = part["after"]?.text
            else { return nil }
            return RetypedPart(
                path: key.components, before: before, after: after, isNew: part["isNew"]?.isTrue == true)
        }
    }

    /// What became of a change, in a line.
    private static func line(_ outcome: JSONValue, _ key: FlagKeyPath) -> String {
        let key = Terminal.line(key.text)
        guard let change = outcome["change"] else { return "\(key): unchanged" }
        let value = { (name: String) in change[name].map(ShownFlag.line) ?? "no value" }
        let deed =
            switch change["kind"]?.text {
            case "lock": "locked"
            case "unlock": "unlocked"
            default: "\(value("before")) → \(value("after"))"
            }
        let restart = outcome["waitsForRestart"]?.isTrue == true ? " (takes effect when the app restarts)" : ""
        return "\(key): \(deed)\(restart)"
    }
}

/// What the commands take that change a value.
struct ValueEdit: ParsableArguments {
    @Option(help: ArgumentHelp("The provider to change (default: the first writable one).", valueName: "NAME"))
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "The revision that the change is based on, as get --json tells it; changed meanwhile, it fails with 6.",
            valueName: "REVISION"))
    var revision: String?

    /// What the change says of it.
    var members: [String: JSONValue] {
        var members = ["revision": JSONValue.scalar(.string(revision ?? "*"))]
        members["provider"] = provider.map { .scalar(.string($0)) }
        return members
    }
}
