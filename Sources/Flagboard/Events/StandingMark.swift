import FlagChanges
import FlagHistory
import Foundation

/// What stands in the way of changes at a moment, as a short text to tell apart from another moment's.
///
/// A page carries the mark that it was made with, so that its stream of events begins with whatever came or went since.
struct StandingMark: Hashable, Sendable {
    /// The first 16 hexadecimal digits of a SHA-256.
    let text: String

    /// Marks what stands in the way.
    ///
    /// - Parameter obstacles: In the words that every reader sees.
    init(_ obstacles: [String]) {
        text = ContentHash.sha256(Data(obstacles.joined(separator: "\u{0}").utf8)).prefix(8).hexadecimal
    }

    /// Marks what stands in the way of changes to some flags.
    init(_ overview: FlagOverview) { self.init(overview.obstacles.map(\.description)) }

    /// What somebody says is the mark of what they show.
    init(text: String) { self.text = text }
}
