import ArgumentParser
import DurableFiles
import FeatureFlags
import FlagChanges
import Flagboard
import Foundation

struct FlagImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import values, a property list or JSON; or definitions, of the OpenFeature CLI.",
        discussion: """
            Where a flag is locked or unknown, or a value is not valid, nothing is imported (exit code 5, or 3), unless --partial is \
            given. With --json: {"provider", "mode", "preview", "flags": [{"key", "fate", "problem"}]}.

            With --definitions INPUT is a flags.json, and each flag of it that has no definition gets one: all or none. With \
            --json the answer of POST /api/v1/batches is printed.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The values to import; - for standard input.", completion: .file())
    var input: String

    @Option(help: ArgumentHelp("Where they go to (default: the first writable provider).", valueName: "NAME"))
    var provider: String?

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var reason: String?

    @ArgumentParser.Flag(help: "Only tell what would become of each flag.")
    var plan = false

    @ArgumentParser.Flag(help: "Set only flags that hold no value in the provider, and change none that do.")
    var createOnly = false

    @ArgumentParser.Flag(help: "Also reset every value that the provider holds and INPUT doesn't.")
    var replace = false

    @ArgumentParser.Flag(help: "Import the rest where a flag is locked or unknown, or a value is not valid.")
    var partial = false

    @ArgumentParser.Flag(help: "Define the flags of INPUT, the manifest of the OpenFeature CLI, that are not defined.")
    var definitions = false

    func validate() throws {
        if definitions, provider != nil || createOnly || replace || partial {
            throw ValidationError("--definitions goes with --plan, --reason and the files alone.")
        }
        if createOnly, replace { throw ValidationError("--create-only and --replace exclude each other.") }
    }

    func run() async throws {
        let mode: ImportPlan.Mode = createOnly ? .create : replace ? .replace : .merge
        let query = [
            ("provider", provider), ("mode", mode.rawValue), ("reason", reason), ("preview", plan ? "true" : nil),
            ("partial", partial ? "true" : nil),
        ]
        let content: Data = try await target.tellingRefusals { try read() }
        if definitions { return try await define(content) }
        try await target.run(to: plan ? .looking : .changing) { client -> Void in
            let answer = try await client.post("/api/v1/import", query, content: content)
            guard try !target.printsJSON else { return try CommandOutput.print(answer.text) }
            let flags = try answer.json["flags"]?.items ?? []
            let told = flags.filter { !["same", "kept"].contains($0["fate"]?.text) }.map(Self.line)
            if !told.isEmpty { try CommandOutput.print(told.joined(separator: "\n")) }
            if let more = try answer.json["moreUnknown"]?.integer {
                CommandOutput.note("\(more) more keys stand for no flag.")
            }
            let rest = flags.count - told.count
            CommandOutput.note(rest == 1 ? "1 flag stays as it is." : "\(rest) flags stay as they are.")
        }
    }

    private func define(_ content: Data) async throws {
        let told = try await target.tellingRefusals {
            try OpenFeatureManifest.definitions(in: try FlagJSON.document(String(decoding: content, as: UTF8.self)))
        }
        // New flags are determined once: after a lost answer, the same batch is sent again, and made once.
        let new = try await target.run(to: .looking) { client in
            let defined = try await client.get("/api/v1/definitions").json["definitions"]?.items ?? []
            let known = Set(defined.compactMap { $0["key"]?.text })
            return told.filter { !known.contains($0.key) }
        }
        try await target.tellingRefusals { try checkSize(of: new) }
        try await target.run(to: plan ? .looking : .changing) { client -> Void in
            let answer = new.isEmpty ? nil : try await client.post("/api/v1/batches", batch(of: new))
            let refusals = try plan ? answer?.json["changes"]?.items?.map { $0["refusal"] } ?? [] : []
            if try target.printsJSON {
                try CommandOutput.print(answer?.text ?? #"{"\#(plan ? "changes" : "outcomes")":[]}"#)
            } else {
                try tell(new, refusals)
                let rest = told.count - new.count
                CommandOutput.note(rest == 1 ? "1 flag is defined already." : "\(rest) flags are defined already.")
            }
            if let refusal = refusals.lazy.compactMap(\.self).first {
                CommandOutput.warn("No flag would be defined: either all are, or none.")
                throw CommandRefusal(status: 422, refusal).exit
            }
        }
    }

    private func checkSize(of flags: [(key: String, definition: JSONValue)]) throws(CommandRefusal) {
        let (most, size) = (Dashboard.largestBatch, FlagJSON.line(batch(of: flags)).utf8.count)
        guard flags.count <= most else {
            throw CommandRefusal(
                "\(flags.count) flags are not defined, more than the \(most) that can be at once; split it.")
        }
        guard size <= Dashboard.largestBatchSize else {
            throw CommandRefusal(
                "the \(flags.count) flags that are not defined take \(size) bytes, more than the \(Dashboard.largestBatchSize) that "
                    + "can be sent at once; split it.")
        }
    }

    private func tell(_ flags: [(key: String, definition: JSONValue)], _ refusals: [JSONValue?]) throws {
        let others = refusals.contains { $0 != nil } ? "not defined" : "defined"
        for (place, flag) in flags.enumerated() {
            let refusal = refusals.indices.contains(place) ? refusals[place] : nil
            let problem = refusal?["detail"]?.text.map { "refused (\(Terminal.message($0)))" }
            try CommandOutput.print("\(Terminal.line(flag.key)): \(problem ?? others)")
        }
    }

    private func batch(of flags: [(key: String, definition: JSONValue)]) -> JSONValue {
        func text(_ text: String) -> JSONValue { .scalar(.string(text)) }
        let changes = flags.map { flag in
            JSONValue.object(["key": text(flag.key), "action": text("define"), "definition": flag.definition])
        }
        var members: [String: JSONValue] = ["changes": .array(changes), "preview": .scalar(.bool(plan))]
        members["reason"] = reason.map(text)
        return .object(members)
    }

    private func read() throws -> Data {
        let most = ImportedValues.maximumBytes
        let data =
            input == "-"
            ? try StandardInput.content(upTo: most + 1)
            : try OpenFile(URL(filePath: input), for: .reading).content(upTo: most + 1)
        guard data.count <= most else {
            throw CommandRefusal("there are more than the \(most) bytes that an import may have; split it.")
        }
        return data
    }

    private static func line(_ flag: JSONValue) -> String {
        let key = Terminal.line(flag["key"]?.text ?? "")
        let problem = flag["problem"]?.text.map { " (\(Terminal.message($0)))" } ?? ""
        return "\(key): \(flag["fate"]?.text ?? "")\(problem)"
    }
}
