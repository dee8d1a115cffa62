import ArgumentParser
import DurableFiles
import FlagChanges
import Foundation

struct Lint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a values file and its manifest.",
        discussion: """
            The files are read and nothing else, so that it makes no difference whether a server has them. The exit code \
            is 0 where nothing is wrong, 1 where there are errors (with --strict: warnings too), and 64 where an option or \
            a rule is wrong. Nothing is corrected: which value is right only a person knows.

            The rules, with what each usually is:
            \(LintRule.allCases.map(Self.line).joined(separator: "\n"))

            --rules makes each of those that are not always errors an error, a warning or off, such as \
            {"missing-owner": "error", "undefined-value": "off"}.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, sarif, github
    }

    @OptionGroup var served: ServedFileOptions

    @OptionGroup var also: OtherFileOptions

    @Option(
        help: "text: a line a finding; json; sarif: SARIF 2.1.0; github: annotations of GitHub Actions (default: text)."
    )
    var format: Format?

    @Flag(help: "Print as JSON: --format json.")
    var json = false

    @Flag(help: "Fail on warnings too.")
    var strict = false

    @Option(help: ArgumentHelp("The rules: JSON or a property list.", valueName: "F"), completion: .file())
    var rules: String?

    @Flag(help: "Check internal flags too, and name them.")
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
            CommandOutput.warn("there is no manifest, so it was only checked whether the values can be read")
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

    /// Reads the settings.
    ///
    /// - Throws: `ValidationError` (exit code 64) for an invalid setting or rule.
    init(_ command: Lint, _ variables: FlagboardEnvironment) throws {
        files = try command.also.files(command.served, variables)
        if command.json, let format = command.format, format != .json {
            throw ValidationError("--json and --format \(format.rawValue) exclude each other.")
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
            throw ValidationError("The rules \(path): \(error.description).")
        }
    }
}
