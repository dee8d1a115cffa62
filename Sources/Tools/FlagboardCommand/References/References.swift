import ArgumentParser
import FeatureFlags
import FlagChanges
import FlagCode
import FlagReferences
import Foundation

struct References: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find where Swift source code uses each flag, and which flags are unused.",
        discussion: """
            Parses the Swift files in DIR, except those in hidden folders. A flag counts as used where a string is its \
            key path, or where code reads its property from a value known to be its collection. A "possible" use \
            reads a property of that name from an unknown type. A "namesake" is any other use of a flag's name, if the \
            flag has no other reference; it may be a use.

            Findings: unused-flag (not used), undefined-key (declared by a property but not defined in the manifest), \
            retired-flag and expired-flag (still in the code). With --json, prints {"flags": [{"key", "references": \
            [{"file", "line", "column", "kind"}], "declared", "changed"}], "findings": [{"code", "key", "message", \
            "file", "line", "column"}], "untold": […], "problems": [{"file", "reason"}], "files"}.
            """)

    @OptionGroup var served: ServedFileOptions

    @Argument(help: "The source folder.", completion: .directory)
    var dir: String

    @ArgumentParser.Flag(help: "Print as JSON.")
    var json = false

    @ArgumentParser.Flag(help: "Exit with 1 if there are findings.")
    var exitCode = false

    @ArgumentParser.Flag(help: "Include internal flags.")
    var showInternal = false

    func validate() throws { _ = try served.files(.current) }

    func run() async throws {
        let report: ReferenceReport
        do {
            let flags = try FlagsOfFiles(
                try served.files(.current),
                showsInternal: try showInternal || FlagboardEnvironment.current.bool("SHOW_INTERNAL"))
            let index = SourceIndex(try SourceFolder(URL(filePath: dir)), try SourceProgram.find())
            let findings = try await index.look(
                for: flags.keys, generated: SwiftNames.properties(of: flags.definedKeys))
            report = ReferenceReport(flags, findings, folder: dir, now: Date())
            if try json || FlagboardEnvironment.current.bool("JSON") {
                try CommandOutput.print(json: report)
            } else {
                try CommandOutput.print(report.text(on: .standardOutput))
            }
            if !flags.hasManifest {
                CommandOutput.warn("no manifest found, so only flags with a value were searched for")
            }
        } catch {
            throw CommandOutput.failure(error)
        }
        for problem in report.problems { CommandOutput.warn("Skipped \(problem.file): \(problem.reason)") }
        if exitCode, !report.findings.isEmpty { throw ExitCode.failed }
        // Unread files may hold what was not found.
        if !report.problems.isEmpty { throw ExitCode.failed }
    }
}
