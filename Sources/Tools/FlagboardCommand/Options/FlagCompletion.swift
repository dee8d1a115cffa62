import ArgumentParser
import DurableFiles
import FeatureFlags
import Flagboard
import FlagChanges
import Foundation

/// Completions from the values file on the command line and its manifest.
enum FlagCompletion {
    static let keys = kind { $0.entries.map(\.key.text) }
    static let providers = kind { $0.providers.map(\.name) }
    static let groups = values(of: .group)
    static let tags = values(of: .tag)
    static let owners = values(of: .owner)

    /// The values that flags have for a criterion of the list.
    private static func values(of criterion: FlagCriterion) -> CompletionKind {
        kind { Set($0.entries.flatMap(criterion.held)).subtracting([FlagCriterion.untagged]).sorted() }
    }

    private static func kind(_ candidates: @escaping @Sendable (FlagCatalogue) -> [String]) -> CompletionKind {
        .custom { words, _, prefix in
            guard let catalogue = catalogue(for: words) else { return [] }
            return candidates(catalogue).filter { $0.hasPrefix(prefix) }.compactMap(offered)
        }
    }

    /// Returns the visible flags; `nil` if no file can be read.
    private static func catalogue(for words: [String]) -> FlagCatalogue? {
        // The shell hands on words as they were typed.
        let words = words.map(ShellText.unquoted)
        // The file is the first argument of every command that takes these words.
        let file = zip(words.dropFirst(), words).first { word, before in
            // A folder may have the name of a command.
            !word.hasPrefix("-") && !optionsWithFiles.contains(before)
                && AtomicFile.look(at: URL(filePath: word))?.kind == .regular
        }?.0
        guard let file else { return nil }
        do {
            let files = try FlagboardEnvironment.current.files(
                values: file, manifest: value(of: "--manifest", in: words), history: value(of: "--history", in: words))
            return try FlagsOfFiles(files, showsInternal: false).catalogue
        } catch {
            // An error can't be shown: the shell offers all output as an argument.
            return nil
        }
    }

    private static let optionsWithFiles: Set = ["--manifest", "--history", "--tokens", "--output", "--archive"]

    /// Returns the line that makes a shell offer a word; `nil` if it would read it as code.
    private static func offered(_ word: String) -> String? {
        switch CompletionShell.requesting {
        // Bash expands what it offers, also `$(…)`.
        case .bash?: ShellText.word(word) != nil && ShellText.isPlain(word, beyondASCII: true) ? word : nil
        // What follows a colon is the description.
        case .zsh?: word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: word
        }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        if let word = words.first(where: { $0.hasPrefix("\(option)=") }) {
            return String(word.dropFirst(option.count + 1))
        }
        guard let place = words.firstIndex(of: option), words.indices.contains(place + 1) else { return nil }
        return words[place + 1]
    }
}
