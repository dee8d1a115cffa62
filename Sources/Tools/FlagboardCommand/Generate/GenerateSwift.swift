import ArgumentParser
import DurableFiles
import FeatureFlagsXML
import Flagboard
import FlagChanges
import FlagCode
import Foundation

struct GenerateSwift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift", abstract: "Generate Swift source that declares the flags in the manifest.",
        discussion: """
            Generates a collection for each group, a property for each flag, an enum for each choice, and constants \
            for the key paths. Internal flags are included because code can read them. Flags that are deprecated, or \
            expired at --date, are marked as deprecated. The same manifest, options and date always give the same \
            source.
            """)

    enum Access: String, CaseIterable, ExpressibleByArgument {
        case `internal`, package, `public`
    }

    @OptionGroup var served: ServedFileOptions

    @Option(help: ArgumentHelp("The name of the top-level collection.", valueName: "NAME"))
    var type = "AppFlags"

    @Option(help: "The access level of the declarations.")
    var access = Access.internal

    @Option(
        help: ArgumentHelp(
            "The day or time (UTC) that decides which flags are expired (default: now).", valueName: "DATE"),
        transform: PruneDate.init(text:))
    var date: PruneDate?

    @OptionGroup var destination: OutputOptions

    @Option(
        help: ArgumentHelp("Print nothing, and exit with 1 if F is out of date.", valueName: "F"),
        completion: .file())
    var check: String?

    func validate() throws {
        if check != nil, destination.output != nil { throw ValidationError("--check and --output can't be combined.") }
        guard SwiftNames.isTypeName(type) else {
            throw ValidationError("--type: \"\(type)\" is not a valid Swift type name. Use a name like AppFlags.")
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
            let file = try destination.file(besides: files)
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
                "\(path) is out of date. Regenerate it with --output \(ShellText.word(path) ?? path) --force."
            )
        }
    }
}

struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generate code from the definitions.", subcommands: [GenerateSwift.self])
}
