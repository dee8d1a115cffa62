import ArgumentParser
import DurableFiles
import FeatureFlags
import FlagChanges
import Flagboard
import Foundation

struct FlagImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import values from a property list or JSON, or definitions from an OpenFeature CLI manifest.",
        discussion: """
            If a flag is locked or unknown, or a value is invalid, nothing is imported (exit code 5 or 3) unless you \
            use --partial. --plan exits with the same code. With --json, prints the response of POST /api/v1/import.

            With --definitions, INPUT is a flags.json. Every flag in it that isn't defined yet gets a definition: all \
            of them or none. With --json, prints the response of POST /api/v1/batches.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The file to import, or - for standard input.", completion: .file())
    var input: String

    @Option(
        help: ArgumentHelp("The provider to import into (default: the first writable one).", valueName: "NAME"),
        completion: FlagCompletion.providers)
    var provider: String?

    @Option(help: ArgumentHelp("The reason, shown in the history.", valueName: "WHY"))
    var reason: String?

    @Option(help: Confirmation.help)
    var confirm: String?

    @ArgumentParser.Flag(help: "Show the result for each flag without importing anything.")
    var plan = false

    @ArgumentParser.Flag(help: "Add: only set flags that have no value in the provider.")
    var createOnly = false

    @ArgumentParser.Flag(help: "Replace: also reset flags that aren't in INPUT.")
    var replace = false

    @ArgumentParser.Flag(help: "Skip locked flags, unknown flags and invalid values, and import the rest.")
    var partial = false

    @ArgumentParser.Flag(help: "Define the flags in INPUT, an OpenFeature CLI manifest, that aren't defined yet.")
    var definitions = false

    func validate() throws {
        if definitions, provider != nil || createOnly || replace || partial {
            throw ValidationError(
                "--definitions can't be combined with --provider, --create-only, --replace or --partial.")
        }
        if createOnly, replace { throw ValidationError("--create-only and --replace can't be combined.") }
    }

    func run() async throws {
        let mode: ImportPlan.Mode = createOnly ? .create : replace ? .replace : .merge
        let query = [
            ("provider", provider), ("mode", mode.rawValue), ("reason", reason), ("confirm", confirm),
            ("preview", plan ? "true" : nil),
            ("partial", partial ? "true" : nil),
        ]
        let content: Data = try await target.tellingRefusals { try read() }
        if definitions { return try await define(content) }
        try await target.run(to: plan ? .looking : .changing) { client -> Void in
            let answer = try await client.post("/api/v1/import", query, content: content)
            try tell(answer)
            guard let refusal = try answer.json["refusal"] else { return }
            let error = CommandRefusal(status: 422, refusal)
            CommandOutput.warn("Nothing would be imported: \(error)")
            throw error.exit
        }
    }

    private func tell(_ answer: FlagboardClient.Answer) throws {
        guard try !target.printsJSON else { return try CommandOutput.print(answer.text) }
        let flags = try answer.json["flags"]?.items ?? []
        let changed = flags.filter { !["same", "kept"].contains($0["fate"]?.text) }.map(Self.line)
        if !changed.isEmpty { try CommandOutput.print(changed.joined(separator: "\n")) }
        if let more = try answer.json["moreUnknown"]?.integer {
            CommandOutput.note("\(more) more unknown key paths.")
        }
        let rest = flags.count - changed.count
        CommandOutput.note(rest == 1 ? "1 unchanged flag." : "\(rest) unchanged flags.")
        for flag in flags {
            guard let retyped = flag.retypedParts.sentence else { continue }
            CommandOutput.warn(Terminal.line("\(flag["key"]?.text ?? ""): \(retyped)"))
        }
        if plan { CommandOutput.note("This was a preview. Nothing was imported.") }
    }

    private func define(_ content: Data) async throws {
        let told = try await target.tellingRefusals {
            try OpenFeatureManifest.definitions(in: try FlagJSON.document(String(decoding: content, as: UTF8.self)))
        }
        // Determines new flags once: after a lost answer, the same batch is sent again, and made once.
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
                CommandOutput.note(rest == 1 ? "1 flag is already defined." : "\(rest) flags are already defined.")
            }
            if let refusal = refusals.lazy.compactMap(\.self).first {
                CommandOutput.warn("No flags would be defined. They are defined together or not at all.")
                throw CommandRefusal(status: 422, refusal).exit
            }
        }
    }

    private func checkSize(of flags: [(key: String, definition: JSONValue)]) throws(CommandRefusal) {
        let (most, size) = (Dashboard.largestBatch, FlagJSON.line(batch(of: flags)).utf8.count)
        guard flags.count <= most else {
            throw CommandRefusal(
                "INPUT has \(flags.count) new flags; the limit is \(most) at once. Split the file.")
        }
        guard size <= Dashboard.largestBatchSize else {
            throw CommandRefusal(
                "The definitions of \(flags.count) new flags take \(size) bytes; the limit is "
                    + "\(Dashboard.largestBatchSize) in one request. Split the file.")
        }
    }

    private func tell(_ flags: [(key: String, definition: JSONValue)], _ refusals: [JSONValue?]) throws {
        let others = refusals.contains { $0 != nil } ? "would not be defined" : plan ? "would be defined" : "defined"
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
        members["confirm"] = confirm.map(text)
        return .object(members)
    }

    private func read() throws -> Data {
        let most = ImportedValues.maximumBytes
        let data =
            input == "-"
            ? try StandardInput.content(upTo: most + 1)
            : try OpenFile(URL(filePath: input), for: .reading).content(upTo: most + 1)
        guard data.count <= most else {
            throw CommandRefusal("The file is larger than the import limit of \(most) bytes. Split it.")
        }
        return data
    }

    private static func line(_ flag: JSONValue) -> String {
        let key = Terminal.line(flag["key"]?.text ?? "")
        let problem = flag["problem"]?.text.map { " (\(Terminal.message($0)))" } ?? ""
        return "\(key): \(flag["fate"]?.text ?? "")\(problem)"
    }
}
