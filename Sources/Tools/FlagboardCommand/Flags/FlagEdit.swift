import ArgumentParser
import FeatureFlags
import Foundation

struct FlagEdit: ParsableArguments {
    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The flag's key path.")
    var key: KeyArgument

    @Option(help: ArgumentHelp("The reason, shown in the history.", valueName: "WHY"))
    var reason: String?

    @Option(help: Confirmation.help)
    var confirm: String?

    /// - Parameters:
    ///   - advise: Returns a further sentence for a refusal.
    ///   - members: Returns the change without its key; may read the flag before.
    func make(
        plan: Bool = false, advise: @escaping @Sendable (CommandRefusal) -> String? = { _ in nil },
        of members: @escaping @Sendable (FlagboardClient) async throws -> [String: JSONValue]
    ) async throws {
        try await target.run(to: plan ? .looking : .changing) { client in
            let (answer, outcome): (FlagboardClient.Answer, JSONValue)
            do {
                answer = try await client.post("/api/v1/batches", try await body(members, plan, client))
                guard let first = try answer.json[plan ? "changes" : "outcomes"]?.items?.first else {
                    throw CommandRefusal("the response doesn't include the change: \(answer.text.prefix(200))")
                }
                if let refusal = first["refusal"] {
                    throw CommandRefusal(status: refusal["status"]?.integer ?? 422, refusal)
                }
                outcome = first
            } catch let refusal as CommandRefusal {
                throw advise(refusal).map(refusal.adding) ?? refusal
            }
            if try target.printsJSON { return try CommandOutput.print(FlagJSON.line(outcome)) }
            let shown = ShownOutcome(outcome)
            try CommandOutput.print(plan ? shown.plannedLine : shown.line(key.key.text))
            if let retyped = outcome.retypedParts.sentence { CommandOutput.warn(Terminal.line(retyped)) }
        }
    }

    private func body(
        _ members: @Sendable (FlagboardClient) async throws -> [String: JSONValue], _ plan: Bool,
        _ client: FlagboardClient
    ) async throws -> JSONValue {
        var change = try await members(client)
        change["key"] = .scalar(.string(key.key.text))
        var members: [String: JSONValue] = [
            "changes": .array([.object(change)]), "reason": .scalar(.string(reason ?? "")),
            "preview": .scalar(.bool(plan)),
        ]
        members["confirm"] = confirm.map { .scalar(.string($0)) }
        return .object(members)
    }

    func move(_ members: [String: JSONValue], done: String) async throws {
        var body = members
        body["reason"] = reason.map { .scalar(.string($0)) }
        body["confirm"] = confirm.map { .scalar(.string($0)) }
        let sent = JSONValue.object(body)
        try await target.run(to: .changing) { client in
            let answer = try await client.post(
                "/api/v1/definitions/\(key.key.text.percentEncoded())", sent, ifMatch: "*")
            if try target.printsJSON { return try CommandOutput.print(answer.text) }
            let isDone = try answer.json["change"] != nil
            try CommandOutput.print("\(Terminal.line(key.key.text)): \(isDone ? done : "unchanged")")
        }
    }
}

/// The option that names the environment to change.
enum Confirmation {
    static let help = ArgumentHelp(
        "The name of the environment to change, such as Production, if its changes must be confirmed.",
        valueName: "NAME")
}

struct ValueEdit: ParsableArguments {
    @Option(
        help: ArgumentHelp("The provider to change (default: the first writable one).", valueName: "NAME"),
        completion: FlagCompletion.providers)
    var provider: String?

    @Option(
        help: ArgumentHelp(
            """
            The revision that the change is based on, from get --json. Fails with exit code 6 if the flag has changed \
            since.
            """,
            valueName: "REVISION"))
    var revision: String?

    var members: [String: JSONValue] {
        var members = ["revision": JSONValue.scalar(.string(revision ?? "*"))]
        members["provider"] = provider.map { .scalar(.string($0)) }
        return members
    }
}

extension JSONValue {
    /// The parts of an outcome that became another kind of value.
    var retypedParts: [RetypedPart] {
        (self["retyped"]?.items ?? []).compactMap { part in
            guard let path = part["path"]?.text, let key = FlagKeyPath(text: String(path.dropFirst())),
                let before = part["before"]?.text, let after = part["after"]?.text
            else { return nil }
            return RetypedPart(
                path: key.components, before: before, after: after, isNew: part["isNew"]?.isTrue == true)
        }
    }
}
