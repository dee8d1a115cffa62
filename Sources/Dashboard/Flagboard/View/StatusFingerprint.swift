import FlagChanges
import FlagHistory
import Foundation

/// What every page says at its top at a moment, as a short text to tell apart from another moment's: what is in the way
/// of changes, which files have other names, and what waits for a restart.
///
/// A page carries the mark that it was made with, so that its stream of events begins with whatever came or went since.
struct StatusFingerprint: Hashable, Sendable {
    /// The first 16 hexadecimal digits of a SHA-256.
    let text: String

    /// Marks what is said.
    init(_ words: [String]) {
        text = ContentHash.sha256(Data(words.joined(separator: "\u{0}").utf8)).prefix(8).hexadecimal
    }

    /// Marks what is said of some flags.
    init(_ overview: FlagOverview) {
        let waits = overview.pendingRestart.waits.map {
            "\($0.key) \($0.name) \(ShownValue($0.before).plain) \(ShownValue($0.now).plain)"
        }
        let lack = overview.pendingRestart.lacksPruned ? ["pruned"] : []
        let links = overview.linkedFiles.map { "linked \($0.path(percentEncoded: false))" }
        let conflicts = overview.conflicts.map { "conflict \($0.place) \($0.problem)" }
        let failure = overview.saveProblem.map { ["not stored \($0)"] } ?? []
        self.init(overview.fileProblems.map(\.description) + waits + lack + links + conflicts + failure)
    }

    /// What a page says is the mark of what it shows.
    init(text: String) { self.text = text }
}
