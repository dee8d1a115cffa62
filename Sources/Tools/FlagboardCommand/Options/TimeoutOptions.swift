import ArgumentParser
import DurableFiles
import FeatureFlags
import Flagboard
import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation

struct TimeoutOptions: ParsableArguments {
    @Option(name: .customLong("timeout"), help: CommandTimeout.help)
    var timeout: CommandTimeout?

    func validate() throws { _ = try duration }

    var duration: Duration { get throws { try CommandTimeout.duration(timeout) } }
}

struct CommandTimeout: ExpressibleByArgument {
    /// A day, in seconds.
    static let longest = 86_400
    /// A millisecond, in seconds.
    private static let shortest = 0.001

    let duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), (Self.shortest...Double(Self.longest)).contains(seconds) else {
            return nil
        }
        duration = .milliseconds(Int64(seconds * 1000))
    }

    static let help = ArgumentHelp(
        "How many seconds to wait for a process that doesn't respond, such as 30 or 0.5 (default: 10).",
        valueName: "SECONDS")

    /// Returns the time from the command line, else the environment, else 10 seconds.
    static func duration(_ timeout: CommandTimeout?) throws -> Duration {
        if let timeout { return timeout.duration }
        guard let text = FlagboardEnvironment.current["TIMEOUT"] else { return .seconds(10) }
        guard let timeout = CommandTimeout(argument: text) else {
            throw ValidationError(
                "FLAGBOARD_TIMEOUT is \"\(text)\", but must be a number of seconds above 0 and up to \(longest).")
        }
        return timeout.duration
    }

    /// For example `10 seconds`.
    static func words(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}

// The argument parser refuses other values (exit code 64), and completes these.
extension FlagType: ExpressibleByArgument {}
extension FlagFormat: ExpressibleByArgument {}
extension FlagFilter.Sort: ExpressibleByArgument {}
extension HistoryRecord.Kind: ExpressibleByArgument {}
extension HistoryRecord.Origin: ExpressibleByArgument {}
extension ChangeAuthor.Role: ExpressibleByArgument {}
extension Webhook.Template: ExpressibleByArgument {}

/// A state and marks of flags for `--state`, joined by commas.
struct StateWords: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard words.allSatisfy(Self.allValueStrings.contains) else { return nil }
        text = argument
    }

    static var allValueStrings: [String] { FlagFilter.stateWords }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The completion of key paths, from the values file on the command line.
enum KeyCompletion {
    static let kind = CompletionKind.custom { words, _, prefix in keys(for: words, prefix) }

    /// Returns the visible key paths with a prefix; none if no file can be read.
    static func keys(for words: [String], _ prefix: String) -> [String] {
        // The shell hands on words as they were typed.
        let words = words.map(ShellText.unquoted)
        // The file is the first argument of every command that takes a key path.
        let file = zip(words.dropFirst(), words).first { word, before in
            // A folder may have the name of a command.
            !word.hasPrefix("-") && !optionsWithFiles.contains(before)
                && AtomicFile.look(at: URL(filePath: word))?.kind == .regular
        }?.0
        guard let file else { return [] }
        do {
            let files = try FlagboardEnvironment.current.files(
                values: file, manifest: value(of: "--manifest", in: words), history: value(of: "--history", in: words))
            let flags = try FlagsOfFiles(files, showsInternal: false)
            return flags.catalogue.entries.map(\.key.text).filter { $0.hasPrefix(prefix) }.compactMap(offered)
        } catch {
            // An error can't be shown: the shell offers all output as an argument.
            return []
        }
    }

    private static let optionsWithFiles: Set = ["--manifest", "--history", "--tokens", "--output", "--archive"]

    /// Returns the line that makes a shell offer a key path; `nil` if it would read it as code.
    private static func offered(_ key: String) -> String? {
        switch CompletionShell.requesting {
        // Bash expands what it offers, also `$(…)`.
        case .bash?: ShellText.word(key) != nil && ShellText.isPlain(key, beyondASCII: true) ? key : nil
        // What follows a colon is the description.
        case .zsh?: key.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: key
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
