import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

/// SARIF 2.1.0 (OASIS), for code scanning and editors.
struct SARIFLog: Encodable {
    struct Message: Encodable {
        let text: String
    }

    struct Rule: Encodable {
        struct Configuration: Encodable {
            let enabled: Bool
            let level: String
        }

        let id: String
        let shortDescription: Message
        let defaultConfiguration: Configuration
    }

    struct Tool: Encodable {
        struct Driver: Encodable {
            let name: String
            let semanticVersion: String
            let rules: [Rule]
        }

        let driver: Driver
    }

    struct Location: Encodable {
        struct Physical: Encodable {
            let artifactLocation: Artifact
            let region: Region?
        }

        /// A path from the source root, or a URI.
        struct Artifact: Encodable {
            let uri: String
            let uriBaseId: String?
        }

        struct Region: Encodable {
            let startLine: Int
            let startColumn: Int
        }

        struct Logical: Encodable {
            let fullyQualifiedName: String
        }

        let physicalLocation: Physical
        let logicalLocations: [Logical]?
    }

    struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
    }

    struct Run: Encodable {
        let tool: Tool
        let columnKind = "unicodeCodePoints"
        let results: [Result]
    }

    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    init(_ output: LintOutput) {
        let rules = LintRule.allCases.map { rule in
            Rule(
                id: rule.rawValue, shortDescription: Message(text: rule.summary),
                defaultConfiguration: Rule.Configuration(
                    enabled: rule.usualSeverity != nil, level: (rule.usualSeverity ?? .warning).rawValue))
        }
        let places = Dictionary(uniqueKeysWithValues: LintRule.allCases.enumerated().map { ($1, $0) })
        let results = output.report.findings.map { finding in
            Result(
                ruleId: finding.rule.rawValue, ruleIndex: places[finding.rule] ?? -1,
                level: finding.severity.rawValue, message: Message(text: finding.message),
                locations: [Self.location(of: finding, output)])
        }
        let driver = Tool.Driver(name: "flagboard", semanticVersion: FlagboardVersion.current, rules: rules)
        runs = [Run(tool: Tool(driver: driver), results: results)]
    }

    private static func location(of finding: LintFinding, _ output: LintOutput) -> Location {
        let path = output.path(of: finding.file)
        let isRelative = !path.hasPrefix("/")
        // RFC 3986's unreserved characters, and the slash.
        let uri = path.percentEncoded(keeping: "-._~/")
        let artifact = Location.Artifact(
            uri: isRelative ? uri : "file://\(uri)", uriBaseId: isRelative ? "%SRCROOT%" : nil)
        return Location(
            physicalLocation: Location.Physical(
                artifactLocation: artifact,
                region: finding.location.map { Location.Region(startLine: $0.line, startColumn: $0.column) }),
            logicalLocations: finding.key.map { [Location.Logical(fullyQualifiedName: $0.text)] })
    }
}
