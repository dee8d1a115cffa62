import ArgumentParser
import DurableFiles
import FlagChanges
import Foundation

struct Lint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a values file and its manifest.",
        discussion: """
            Reads the files directly, so the result doesn't depend on a running server. Exits with 0 if there are no \
            problems, with 1 if there are errors (with --strict: errors or warnings), and with 64 if an option or a \
            rule is wrong. Lint never edits the files.

            Rules and their default severities:
            \(LintRule.allCases.map(Self.line).joined(separator: "\n"))

            --rules sets the severity of a rule to error, warning or off, except for rules that are always errors. For \
            example: {"missing-owner": "error", "undefined-value": "off"}.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, sarif, github
    }

    @OptionGroup var served: ServedFileOptions

    @OptionGroup var also: OtherFileOptions

    @Option(
        help:
            "text: one finding per line; json; sarif: SARIF 2.1.0; github: GitHub Actions annotations (default: text)."
    )
    var format: Format?

    @Flag(help: "Print as JSON, like --format json.")
    var json = false

    @Flag(help: "Also fail on warnings.")
    var strict = false

    @Option(help: ArgumentHelp("The rules file, as JSON or a property list.", valueName: "F"), completion: .file())
    var rules: String?

    @Flag(help: "Check internal flags too, and show their names.")
    var showInternal = false

    func validate() throws { _ = try LintSettings(self, .current) }

    func run() async throws {
        let settings = try LintSettings(self, .current)
        let report = LintReport(
            settings.files, rules: settings.rules, showsInternal: settings.showsInternal, now: Date())
        let output = LintOutput(report, folder: FileManager.default.currentDirectoryPath)
        do {
            switch settings.format {
            case .text: try CommandOutput.print(output.text)
            case .json: try CommandOutput.print(json: output.document)
            case .sarif: try CommandOutput.print(json: SARIFLog(output))
            case .github: try CommandOutput.print(part: output.annotations)
            }
        } catch {
            throw CommandOutput.failure(error)
        }
        if !report.hasManifest {
            CommandOutput.warn("no manifest found, so only the values were checked")
        }
        let worst = report.findings.map(\.severity).max()
        if worst == .error || worst != nil && settings.isStrict { throw ExitCode.failed }
    }

    private static func line(_ rule: LintRule) -> String {
        let severity = rule.usualSeverity?.rawValue ?? "off"
        let name = "\(rule.rawValue) (\(rule.isFixed ? "always error" : severity))"
        return "  \(name): \(rule.summary)"
    }
}

/// The settings of `lint`, from the command line or else the environment.
private struct LintSettings {
    let files: FlagFiles
    let rules: LintRules
    let format: Lint.Format
    let isStrict: Bool
    let showsInternal: Bool

    /// - Throws: `ValidationError` (exit code 64) for an invalid setting or rule.
    init(_ command: Lint, _ variables: FlagboardEnvironment) throws {
        files = try command.also.files(command.served, variables)
        if command.json, let format = command.format, format != .json {
            throw ValidationError("--json and --format \(format.rawValue) can't be combined.")
        }
        format = try command.format ?? (command.json || variables.bool("JSON") ? .json : .text)
        isStrict = try command.strict || variables.bool("STRICT")
        showsInternal = try command.showInternal || variables.bool("SHOW_INTERNAL")
        guard let path = command.rules ?? variables["RULES"] else {
            rules = LintRules()
            return
        }
        do throws(PlainError) {
            rules = try LintRules(contentsOf: URL(filePath: path))
        } catch {
            throw ValidationError("Can't read the rules in \(path): \(error.description.asSentence)")
        }
    }
}
