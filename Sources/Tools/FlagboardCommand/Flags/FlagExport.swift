import ArgumentParser
import FeatureFlags
import FlagChanges

struct FlagExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the values, the definitions, or what reads return.",
        discussion: "What the dashboard's downloads hold, without internal flags.")

    enum Content: String, CaseIterable, ExpressibleByArgument {
        case values, manifest, effective

        fileprivate var path: String { self == .values ? "flags" : rawValue }
    }

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case xml, json
    }

    @OptionGroup var target: FlagFileOptions

    @Option(help: "values: what FILE holds; manifest: the definitions; effective: what reads return.")
    var content = Content.values

    @Option(help: "xml: a property list, unless --json is given; json: plain JSON.")
    var format: Format?

    @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "F"), completion: .file())
    var output: String?

    @ArgumentParser.Flag(help: "Replace the output where there is such a file.")
    var force = false

    func validate() throws {
        if force, output == nil { throw ValidationError("--force goes with --output.") }
        if target.json, format == .xml { throw ValidationError("--json and --format xml exclude each other.") }
    }

    func run() async throws {
        try await target.run(to: .looking) { client in
            let format = try self.format ?? (target.printsJSON ? .json : .xml)
            let file = try OutputFile(output, besides: try target.files, replacing: force)
            let answer = try await client.get("/api/v1/export/\(content.path).\(format.rawValue)")
            if let broken = answer.brokenSources, case .object(let sources) = try FlagJSON.document(broken) {
                for (name, problem) in sources.sorted(by: { $0.key < $1.key }) {
                    CommandOutput.warn(
                        "\(name) is broken: \((problem.text ?? "").withoutFullStop). Its last good values are exported, or the "
                            + "defaults where there are none.")
                }
            }
            try file.write(answer.text)
            try file.finish()
        }
    }
}
