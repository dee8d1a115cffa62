import DurableFiles
import FeatureFlags
import Foundation

@testable import FlagReferences
@testable import FlagReferencesTool

extension SourceProgram {
    /// The program that was built with the tests, which gives a file as long as a slow machine takes.
    static let built = built(seconds: 60)

    /// The program that was built with the tests.
    ///
    /// - Parameter seconds: The seconds of processor time that a file may take.
    /// - Returns: The program.
    static func built(seconds: Int) -> SourceProgram {
        SourceProgram(
            executable: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: SourceProgram.name),
            seconds: seconds)
    }
}

/// A folder with source files that is removed when the test ends.
final class SourceSample {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "flagboard-source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            print("\(url.path) is left behind: \(error)")
        }
    }

    func write(_ text: String, to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}

/// Where flags are in texts, a line each: `checkout/new_flow property App.swift:3:7`.
func places(_ files: [String: String], _ keys: String...) throws -> [String] {
    let known = Set(keys.compactMap { FlagKeyPath(text: $0) })
    let references = try FlagReferences(files.mapValues { try SourceReader.facts(in: $0) }, known: known)
    return references.places.sorted { $0.key < $1.key }.flatMap { key, found in
        found.map { "\(key) \($0.kind) \($0.file):\($0.position.line):\($0.position.column)" }
    }
}

/// The same of one text, without its name.
func places(_ text: String, _ keys: String...) throws -> [String] {
    let known = Set(keys.compactMap { FlagKeyPath(text: $0) })
    let references = try FlagReferences(["A": SourceReader.facts(in: text)], known: known)
    return references.places.sorted { $0.key < $1.key }.flatMap { key, found in
        found.map { "\(key) \($0.kind) \($0.position.line):\($0.position.column)" }
    }
}

extension SourceReader {
    static func facts(in text: String) throws -> SourceFacts {
        guard case .facts(let facts) = answer(for: text) else { throw PlainError("The code is nested too deeply.") }
        return facts
    }
}
