import DurableFiles
import FlagChanges
import Foundation

/// Where a command writes what it was asked for: standard output, or a file that is whole or not there at all.
struct OutputFile {
    private enum Place {
        case standardOutput
        /// A device or a named pipe, which can't be replaced and needs not be.
        case stream(OpenFile)
        case file(FileDraft, path: String, replaces: Bool)
    }

    private let place: Place

    /// - Parameters:
    ///   - path: The file; `nil` for standard output.
    ///   - files: The files that Flagboard works with, none of which is to be written.
    ///   - replaces: Whether a file that is there may be replaced.
    /// - Throws: Why the file is not to be written; it is as it was then.
    init(_ path: String?, besides files: FlagFiles, replacing replaces: Bool) throws {
        guard let path else {
            place = .standardOutput
            return
        }
        let url = AtomicFile.target(of: URL(filePath: path))
        if let use = try files.use(of: url) {
            throw StartError(
                "\(path) is \(use.name), which Flagboard works with: nothing was written. Name another file.")
        }
        // Not of its target: what standard output is called may be the name of no file.
        switch try AtomicFile.signature(of: URL(filePath: path))?.kind {
        case nil: break
        case .regular: if !replaces { throw Self.isThere(path) }
        case .device, .pipe:
            place = .stream(try OpenFile(URL(filePath: path), for: .streaming))
            return
        default: throw StartError("\(path) is no file that can be written. Name another one.")
        }
        place = .file(try FileDraft(of: url), path: path, replaces: replaces)
    }

    /// Writes the next part.
    func write(_ text: String) throws {
        switch place {
        case .standardOutput: try CommandOutput.print(part: text)
        case .stream(let file): try file.write(Data(text.utf8))
        case .file(let draft, _, _): try draft.write(Data(text.utf8))
        }
    }

    /// Says that this was all of it.
    ///
    /// - Throws: Where the file can't be given its name; none is left behind then.
    func finish() throws {
        switch place {
        case .standardOutput, .stream: break
        case .file(let draft, let path, let replaces):
            guard try draft.install(replacing: replaces) else { throw Self.isThere(path) }
        }
    }

    private static func isThere(_ path: String) -> StartError {
        StartError("\(path) is there already: nothing was written. Name another file, or replace it with --force.")
    }
}

/// Standard input.
enum StandardInput {
    /// Returns its content, to its end or a number of bytes.
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
