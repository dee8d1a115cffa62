import ArgumentParser
import DurableFiles
import FeatureFlagsXML
import Flagboard
import FlagChanges
import FlagCode
import Foundation

struct GenerateSwift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift", abstract: "Print Swift source that declares the flags of the manifest.",
        discussion: """
            A collection for each group, a property for each flag, an enum for each choice, and the key paths as constants. \
            Internal flags are declared too: they are code's own. Flags that are retired, or expired at --date, are \
            deprecated. The same manifest, options and date give the same source.
            """)

    enum Access: String, CaseIterable, ExpressibleByArgument {
        case `internal`, package, `public`
    }

    @OptionGroup var served: ServedFileOptions

    @Option(help: ArgumentHelp("The name of the outermost collection.", valueName: "NAME"))
    var type = "AppFlags"

    @Option(help: "Who may use what is declared.")
    var access = Access.internal

    @Option(
        help: ArgumentHelp("The day or time in UTC at which flags count as expired (default: now).", valueName: "DATE"),
        transform: PruneDate.init(text:))
    var date: PruneDate?

    @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "F"), completion: .file())
    var output: String?

    @ArgumentParser.Flag(help: "Replace the output where there is such a file.")
    var force = false

    @Option(
        help: ArgumentHelp("Print nothing; exit 1 where F is not what would be printed.", valueName: "F"),
        completion: .file())
    var check: String?

    func validate() throws {
        if force, output == nil { throw ValidationError("--force goes with --output.") }
        if check != nil, output != nil { throw ValidationError("--check and --output exclude each other.") }
        guard SwiftNames.isTypeName(type) else {
            throw ValidationError("--type: \"\(type)\" is no name of a Swift type; write it as AppFlags.")
        }
    }

    func run() async throws {
        do {
            let files = try served.files(.current)
            let size = files.maximumFileSize
            let contents = try AtomicFile.read(AtomicFile.target(of: files.manifest), maximumSize: size)
            let manifest = try FlagManifest(source: contents.data, maximumSize: size)
            let source = SwiftSource(
                manifest, typeName: type, access: access.rawValue, date: date?.date ?? Date())
            for note in source.notes { CommandOutput.warn(note) }
            if let check { return try compare(source.text, with: check) }
            let file = try OutputFile(output, besides: files, replacing: force)
            try file.write(source.text)
            try file.finish()
        } catch {
            throw CommandOutput.failure(error)
        }
    }

    private func compare(_ text: String, with path: String) throws {
        let written = try AtomicFile.read(
            AtomicFile.target(of: URL(filePath: path)), maximumSize: PropertyListDocument.largestMaximumSize)
        guard written.data == Data(text.utf8) else {
            throw PlainError(
                "\(path) is not what the manifest gives now. Generate it anew, with --output \(ShellText.word(path) ?? path) --force."
            )
        }
    }
}

struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make code from the definitions.", subcommands: [GenerateSwift.self])
}
