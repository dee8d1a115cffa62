import ArgumentParser
import FeatureFlagsXML
import Foundation

struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the schema of manifests.",
        discussion: """
            json-schema is JSON Schema 2020-12, for a manifest as JSON; relax-ng is RELAX NG in its XML syntax, for the \
            property list itself. Both are made of the list of fields that Flagboard reads a manifest by. They let through \
            what no schema can tell, such as a default that is out of its bounds: flagboard lint finds that.

            There is no DTD and no XSD: in a property list the value of a key is the element behind it, and neither can \
            say that what stands in one element depends on the text of another.
            """)

    enum Format: String, CaseIterable {
        case jsonSchema = "json-schema"
        case relaxNG = "relax-ng"

        init(argument: String) throws {
            if let format = Self(rawValue: argument) {
                self = format
                return
            }
            let known = Self.allCases.map(\.rawValue).joined(separator: " or ")
            switch argument {
            case "dtd", "xsd":
                throw ValidationError(
                    "neither a DTD nor an XSD can say which value a key of a property list has: take \(known).")
            default: throw ValidationError("\"\(argument)\" is no format: take \(known).")
            }
        }
    }

    @Option(
        help: ArgumentHelp("json-schema or relax-ng (default: json-schema).", valueName: "format"),
        transform: Format.init(argument:))
    var format: Format?

    @Flag(help: "Print as JSON: --format json-schema.")
    var json = false

    @OptionGroup var waiting: TimeoutOptions

    func validate() throws {
        if json, format == .relaxNG { throw ValidationError("--json and --format relax-ng exclude each other.") }
    }

    func run() async throws {
        do {
            switch format ?? .jsonSchema {
            case .jsonSchema: try CommandOutput.print(ManifestJSONSchema.text)
            case .relaxNG: try CommandOutput.print(ManifestRelaxNG.text)
            }
        } catch {
            throw CommandOutput.failure(error)
        }
    }
}
