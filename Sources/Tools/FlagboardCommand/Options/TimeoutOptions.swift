import ArgumentParser
import DurableFiles
import FeatureFlags
import Flagboard
import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation

/// The longest wait of a command for other processes.
struct TimeoutOptions: ParsableArguments {
    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp(
            "How many seconds to wait for another process that says nothing, such as 30 or 0.5 (default: 10).",
            valueName: "SECONDS"))
    var timeout: CommandTimeout?

    func validate() throws { _ = try duration }

    /// The time of the command line, else of the environment, else 10 seconds.
    var duration: Duration {
        get throws {
            if let timeout { return timeout.duration }
            guard let text = FlagboardEnvironment.current["TIMEOUT"] else { return .seconds(10) }
            guard let timeout = CommandTimeout(argument: text) else {
                throw ValidationError(
                    "FLAGBOARD_TIMEOUT is \"\(text)\"; it must be a number of seconds, more than 0 and at most \(CommandTimeout.longest)."
                )
            }
            return timeout.duration
        }
    }
}

/// A number of seconds, as it is written on the command line.
struct CommandTimeout: ExpressibleByArgument {
    /// A day.
    static let longest = 86_400
    /// A millisecond.
    private static let shortest = 0.001

    let duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), (Self.shortest...Double(Self.longest)).contains(seconds) else {
            return nil
        }
        duration = .milliseconds(Int64(seconds * 1000))
    }

    /// A duration in words: `10 seconds`.
    static func words(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}

// What an option takes of a list: the argument parser refuses all else with the list (exit code 64), and completes it.
extension FlagType: ExpressibleByArgument {}
extension FlagFilter.Sort: ExpressibleByArgument {}
extension HistoryRecord.Kind: ExpressibleByArgument {}
extension HistoryRecord.Origin: ExpressibleByArgument {}
extension ChangeAuthor.Role: ExpressibleByArgument {}
extension Webhook.Template: ExpressibleByArgument {}

/// A state and marks of flags, joined by commas, as `--state` takes them.
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

/// The words for true and false that people type on a command line; forms and programs write true and false.
enum BooleanWord {
    /// The value of a word; `nil` for any other text.
    static func value(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }
}

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
