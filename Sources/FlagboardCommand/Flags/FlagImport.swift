import ArgumentParser
import DurableFiles
import FeatureFlags
import FlagChanges
import Foundation

/// `flagboard import FILE INPUT`: values from elsewhere.
struct FlagImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import values: a property list, or JSON.",
        discussion: """
            Where a flag is locked or unknown, or a value is not valid, nothing is imported (exit code 5, or 3), unless --partial is \
            given. With --json: {"provider", "mode", "preview", "flags": [{"key", "fate", "problem"}]}.
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

    func validate() throws {
        if createOnly, replace { throw ValidationError("--create-only and --replace exclude each other.") }
    }

    func run() async throws {
        let mode: ImportPlan.Mode = createOnly ? .create : replace ? .replace : .merge
        let query = [
            ("provider", provider), ("mode", mode.rawValue), ("reason", reason), ("preview", plan ? "true" : nil),
            ("partial", partial ? "true" : nil),
        ]
        let content: Data = try await target.tellingRefusals { try read() }
        try await target.run(to: plan ? .looking : .changing) { client -> Void in
            let answer = try await client.post("/api/v1/import", query, content: content)
            guard try !target.printsJSON else { return try CommandOutput.print(answer.text) }
            let flags = try answer.json["flags"]?.items ?? []
            let told = flags.filter { !["same", "kept"].contains($0["fate"]?.text) }.map(Self.line)
            if !told.isEmpty { try CommandOutput.print(told.joined(separator: "\n")) }
            let rest = flags.count - told.count
            CommandOutput.note(rest == 1 ? "1 flag stays as it is." : "\(rest) flags stay as they are.")
        }
    }

    private func read() throws -> Data {
        let most = ImportedValues.maximumBytes
        let data =
            input == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data()
            : try OpenFile(URL(filePath: input), for: .reading).content(upTo: most + 1)
        guard data.count <= most else {
            throw CommandRefusal("there are more than the \(most) bytes that an import may have; split it.")
        }
        return data
    }

    private static func line(_ flag: JSONValue) -> String {
        let key = Terminal.line(flag["key"]?.text ?? "")
        let problem = flag["problem"]?.text.map { " (\(Terminal.line($0)))" } ?? ""
        return "\(key): \(flag["fate"]?.text ?? "")\(problem)"
    }
}
