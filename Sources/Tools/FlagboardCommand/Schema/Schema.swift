import ArgumentParser
import FeatureFlagsXML
import Foundation

struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the schema for manifests.",
        discussion: """
            json-schema is JSON Schema 2020-12 for manifests as JSON. relax-ng is RELAX NG (XML syntax) for manifests \
            as property lists. Both are generated from the list of fields that Flagboard supports. They can't check \
            everything, such as a default outside its range; flagboard lint does.

            DTD and XSD are not supported. In a property list, a key's value is the element after it, and neither language \
            can make the content of one element depend on the text of another.
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
                    "DTD and XSD can't describe the values in a property list. Use \(known).")
            default: throw ValidationError("\"\(argument)\" is not a schema format. Use \(known).")
            }
        }
    }

    @Option(
        help: ArgumentHelp("json-schema or relax-ng (default: json-schema).", valueName: "format"),
        completion: .list(Format.allCases.map(\.rawValue)), transform: Format.init(argument:))
    var format: Format?

    @Flag(help: "Print as JSON, like --format json-schema.")
    var json = false

    @OptionGroup var waiting: TimeoutOptions

    func validate() throws {
        if json, format == .relaxNG { throw ValidationError("--json and --format relax-ng can't be combined.") }
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
