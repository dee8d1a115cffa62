import ArgumentParser
import FeatureFlags
import FlagChanges
import FlagHistory
import FlagWebhooks
import Flagboard

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
