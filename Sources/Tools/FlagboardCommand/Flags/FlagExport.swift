import ArgumentParser
import FeatureFlags
import FlagChanges

struct FlagExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export stored values, definitions or resolved values.",
        discussion: "The same files as the dashboard's downloads. Internal flags are not included.")

    enum Content: String, CaseIterable, ExpressibleByArgument {
        case values, manifest, effective

        fileprivate var path: String { self == .values ? "flags" : rawValue }
    }

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case xml, json
    }

    @OptionGroup var target: FlagFileOptions

    @Option(help: "values: the values in FILE; manifest: the definitions; effective: the resolved values.")
    var content = Content.values

    @Option(help: "xml: a property list (default without --json); json: plain JSON, without broken values.")
    var format: Format?

    @OptionGroup var destination: OutputOptions

    func validate() throws {
        if target.json, format == .xml { throw ValidationError("--json and --format xml can't be combined.") }
    }

    func run() async throws {
        try await target.run(to: .looking) { client in
            let format = try self.format ?? (target.printsJSON ? .json : .xml)
            let file = try destination.file(besides: try target.files)
            let answer = try await client.get("/api/v1/export/\(content.path).\(format.rawValue)")
            if let broken = answer.brokenSources, case .object(let sources) = try FlagJSON.document(broken) {
                for (name, problem) in sources.sorted(by: { $0.key < $1.key }) {
                    let consequence =
                        content == .values
                        ? "JSON can't express broken values, so the export doesn't include them."
                        : "The export uses its last good values, or defaults if there are none."
                    CommandOutput.warn("\(name) is broken: \((problem.text ?? "").withoutFullStop). \(consequence)")
                }
            }
            try file.write(answer.text)
            try file.finish()
        }
    }
}
