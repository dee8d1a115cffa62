import ArgumentParser
import FeatureFlags
import FlagChanges
import FlagCode
import FlagReferences
import Foundation

struct References: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell where Swift source code uses each flag, and which flags it doesn't.",
        discussion: """
            DIR's Swift files are read by their syntax, but for those in hidden folders. A flag is used where a text is its key \
            path, and where the property that declares it is asked of something that is known to be its collection. \
            "possible" is a property of that name asked of what can't be told, "namesake" anything else that has the name of a \
            flag that nothing else is known of: it may be used.

            Findings: unused-flag (nothing uses it), undefined-key (a property declares it, and the manifest does not), \
            retired-flag and expired-flag (still in the code). With --json: {"flags": [{"key", "references": [{"file", \
            "line", "column", "kind"}], "declared", "changed"}], "findings": [{"code", "key", "message", "file", "line", \
            "column"}], "untold": […], "problems": [{"file", "reason"}], "files"}.
            """)

    @OptionGroup var served: ServedFileOptions

    @Argument(help: "The folder of the source code.", completion: .directory)
    var dir: String

    @ArgumentParser.Flag(help: "Print as JSON.")
    var json = false

    @ArgumentParser.Flag(help: "End with 1 where there are findings.")
    var exitCode = false

    @ArgumentParser.Flag(help: "Tell of internal flags too.")
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
                CommandOutput.warn("there is no manifest, so flags were only taken from the values")
            }
        } catch {
            throw CommandOutput.failure(error)
        }
        for problem in report.problems { CommandOutput.warn("\(problem.file) was not read: \(problem.reason)") }
        if exitCode, !report.findings.isEmpty { throw ExitCode.failed }
        // Unread files may hold what was not found.
        if !report.problems.isEmpty { throw ExitCode.failed }
    }
}
