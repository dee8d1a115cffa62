import ArgumentParser
import FeatureFlags
import FlagChanges

struct ManifestPrint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest", abstract: "Print the definitions: as they are, or for the OpenFeature CLI.",
        discussion: """
            Without internal flags. With openfeature it is the manifest by which the OpenFeature CLI makes code: the flags that have a \
            default, with their types there; the others are told on standard error.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case xml, json, openfeature
    }

    @OptionGroup var target: FlagFileOptions

    @Option(help: "xml: a property list, unless --json is given; json: plain JSON; openfeature: flags.json.")
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
            let file = try OutputFile(output, besides: try target.files, replacing: force)
            switch try format ?? (target.printsJSON ? .json : .xml) {
            case .xml: try file.write(try await client.get("/api/v1/export/manifest.xml").text)
            case .json: try file.write(try await client.get("/api/v1/export/manifest.json").text)
            case .openfeature:
                let manifest = OpenFeatureManifest(try await client.get("/api/v1/export/manifest.json").json)
                for key in manifest.leftOut {
                    CommandOutput.warn("\(Terminal.line(key)) is left out: it has no default that flags.json can tell.")
                }
                try file.write(FlagJSON.text(manifest.document) + "\n")
            }
            try file.finish()
        }
    }
}
