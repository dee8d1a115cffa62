import ArgumentParser
import FeatureFlags
import FlagChanges

struct ManifestPrint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest", abstract: "Print the definitions, or export them for the OpenFeature CLI.",
        discussion: """
            Internal flags are not included. The openfeature format is a manifest from which the OpenFeature CLI \
            generates code. It includes every flag that has a default; the others are listed on standard error.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case xml, json, openfeature
    }

    @OptionGroup var target: FlagFileOptions

    @Option(help: "xml: a property list (default without --json); json: plain JSON; openfeature: flags.json.")
    var format: Format?

    @OptionGroup var destination: OutputOptions

    func validate() throws {
        if target.json, format == .xml { throw ValidationError("--json and --format xml can't be combined.") }
    }

    func run() async throws {
        try await target.run(to: .looking) { client in
            let file = try destination.file(besides: try target.files)
            switch try format ?? (target.printsJSON ? .json : .xml) {
            case .xml: try file.write(try await client.get("/api/v1/export/manifest.xml").text)
            case .json: try file.write(try await client.get("/api/v1/export/manifest.json").text)
            case .openfeature:
                let manifest = OpenFeatureManifest(try await client.get("/api/v1/export/manifest.json").json)
                for (key, reason) in manifest.leftOut {
                    CommandOutput.warn("\(Terminal.line(key)) is skipped: \(reason).")
                }
                try file.write(FlagJSON.text(manifest.document) + "\n")
            }
            try file.finish()
        }
    }
}
