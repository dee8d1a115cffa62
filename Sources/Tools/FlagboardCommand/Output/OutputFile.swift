import ArgumentParser
import DurableFiles
import FlagChanges
import Foundation

struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The output file (default: standard output).", valueName: "F"), completion: .file())
    var output: String?

    @ArgumentParser.Flag(help: "Overwrite the output file if it exists.")
    var force = false

    func validate() throws {
        if force, output == nil { throw ValidationError("Use --force only with --output.") }
    }

    /// Opens the output, which must be none of the served files.
    func file(besides files: FlagFiles, isPrivate: Bool = false) throws -> OutputFile {
        try OutputFile(output, besides: files, replacing: force, isPrivate: isPrivate)
    }
}

/// Standard output, or a file that appears whole or not at all.
struct OutputFile {
    private enum Place {
        case standardOutput
        /// A device or a named pipe, which can't be replaced.
        case stream(OpenFile)
        case file(FileDraft, path: String, replaces: Bool)
    }

    private let place: Place

    /// `nil` is standard output; `files` must not be overwritten.
    init(_ path: String?, besides files: FlagFiles, replacing replaces: Bool, isPrivate: Bool) throws {
        guard let path else {
            place = .standardOutput
            return
        }
        let url = AtomicFile.target(of: URL(filePath: path))
        if let use = try files.use(of: url) {
            throw PlainError(
                "\(path) is \(use.name), which Flagboard uses. Nothing was written. Choose another file.")
        }
        // Not of the target: that of standard output may be the name of no file.
        switch try AtomicFile.signature(of: URL(filePath: path))?.kind {
        case nil: break
        case .regular: if !replaces { throw Self.isThere(path) }
        case .device, .pipe:
            place = .stream(try OpenFile(URL(filePath: path), for: .streaming))
            return
        default: throw PlainError("Can't write to \(path), because it isn't a regular file. Choose another file.")
        }
        place = .file(try FileDraft(of: url, isPrivate: isPrivate), path: path, replaces: replaces)
    }

    func write(_ text: String) throws {
        switch place {
        case .standardOutput: try CommandOutput.print(part: text)
        case .stream(let file): try file.write(Data(text.utf8))
        case .file(let draft, _, _): try draft.write(Data(text.utf8))
        }
    }

    /// If this fails, no file is left behind.
    func finish() throws {
        switch place {
        case .standardOutput, .stream: break
        case .file(let draft, let path, let replaces):
            guard try draft.install(replacing: replaces) else { throw Self.isThere(path) }
        }
    }

    private static func isThere(_ path: String) -> PlainError {
        PlainError("\(path) already exists. Nothing was written. Choose another file, or overwrite it with --force.")
    }
}

enum StandardInput {
    /// Ends with the input or after `most` bytes.
    static func content(upTo most: Int) throws -> Data {
        var data = Data()
        while data.count < most, let piece = try FileHandle.standardInput.read(upToCount: most - data.count),
            !piece.isEmpty
        {
            data += piece
        }
        return data
    }
}
