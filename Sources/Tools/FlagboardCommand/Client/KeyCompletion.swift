import ArgumentParser
import DurableFiles
import FeatureFlags
import FlagChanges
import Foundation

/// The key paths that the shell offers, from the values file that stands on the command line.
enum KeyCompletion {
    static let kind = CompletionKind.custom { words, _, prefix in keys(for: words, prefix) }

    /// - Parameters:
    ///   - words: The command line so far, from the program on.
    ///   - prefix: The beginning of the key path.
    /// - Returns: The key paths of flags that may be seen and begin so; none where no file can be read.
    static func keys(for words: [String], _ prefix: String) -> [String] {
        // The file is the first argument of every command that takes a key path.
        let file = words.dropFirst().first { word in
            // A folder may have the name of a command.
            !word.hasPrefix("-") && AtomicFile.look(at: URL(filePath: word))?.kind == .regular
        }
        guard let file else { return [] }
        do {
            let files = try FlagboardEnvironment.current.files(
                values: file, manifest: value(of: "--manifest", in: words), history: value(of: "--history", in: words))
            let flags = try FlagsOfFiles(files, showsInternal: false)
            return flags.catalogue.entries.map(\.key.text).filter { $0.hasPrefix(prefix) }
        } catch {
            // There is no place to say so: what is printed here is offered as an argument.
            return []
        }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        guard let place = words.firstIndex(of: option), words.indices.contains(place + 1) else { return nil }
        return words[place + 1]
    }
}
