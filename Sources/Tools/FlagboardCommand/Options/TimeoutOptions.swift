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
