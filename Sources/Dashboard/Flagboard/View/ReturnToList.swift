import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

/// A list of flags as what is changed in it comes back to it.
struct ReturnToList: Sendable {
    /// The name, within its page, of the row that a list comes back to.
    static let anchor = "row"

    /// The list's address with its query.
    var href = PageLink.flags
    /// What has just been done, and to which flag.
    var saved: Saved?
    /// The flags that are selected, to be changed together.
    var ticked: Set<FlagKeyPath> = []
    /// The flag whose row the list comes back to.
    var returning: FlagKeyPath?
    /// How much is said of each flag.
    var density = ViewerSettings.Density.roomy

    /// What has just been done to a flag.
    struct Saved: Hashable, Sendable {
        let key: FlagKeyPath
        let notice: SavedNotice
    }

}

extension FlagFilter {
    /// The list that a form stands in, as the browser says by its `Referer`: so a row needs no field for the way back.
    ///
    /// It is `nil` where the form stands on another page, or the browser does not say where.
    init?(referringTo request: Request) {
        guard let address = Dashboard.referrer(of: request), address.prefix(while: { $0 != "?" }) == PageLink.flags
        else {
            return nil
        }
        switch Result(catching: { try FormFields(String(address.dropFirst(PageLink.flags.count + 1))) }) {
        case .success(let fields): self.init(query: fields.values)
        case .failure: return nil
        }
    }
}

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

/// Something to know about the flag before changing it.
struct PageRemark: Hashable, PagePart {
    let heading: String
    let advice: String
}
