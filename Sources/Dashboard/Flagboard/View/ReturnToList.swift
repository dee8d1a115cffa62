import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

struct ReturnToList: Sendable {
    /// The fragment of the row that the list scrolls to.
    static let anchor = "row"

    var href = PageLink.flags
    var saved: Saved?
    var ticked: Set<FlagKeyPath> = []
    /// The list scrolls to its row.
    var returning: FlagKeyPath?
    var density = ViewerSettings.Density.roomy

    struct Saved: Hashable, Sendable {
        let key: FlagKeyPath
        let notice: SavedNotice
    }

}

extension FlagFilter {
    /// Reads the list from the `Referer`, so that rows need no field for the way back.
    ///
    /// `nil` for another page or without `Referer`.
    init?(referringTo request: Request) {
        guard let address = Dashboard.referrer(of: request) else { return nil }
        self.init(listAt: address)
    }

    /// `nil` for the address of another page.
    init?(listAt address: String) {
        guard address.prefix(while: { $0 != "?" }) == PageLink.flags else { return nil }
        switch Result(catching: { try FormFields(String(address.dropFirst(PageLink.flags.count + 1))) }) {
        case .success(let fields): self.init(query: fields.values)
        case .failure: return nil
        }
    }
}

/// A fingerprint of file problems, linked files, conflicts and pending restarts, which every page announces.
///
/// Each page carries its own, so that its stream of events starts with later changes.
struct StatusFingerprint: Hashable, Sendable {
    /// The first 16 hexadecimal digits of a SHA-256.
    let text: String

    init(_ words: [String]) {
        text = ContentHash.sha256(Data(words.joined(separator: "\u{0}").utf8)).prefix(8).hexadecimal
    }

    init(_ overview: FlagOverview) {
        let waits = overview.pendingRestart.waits.map {
            "\($0.key) \($0.name) \(ShownValue($0.before).plain) \(ShownValue($0.now).plain)"
        }
        let lack = overview.pendingRestart.lacksPruned ? ["pruned"] : []
        let links = overview.linkedFiles.map { "linked \($0.path(percentEncoded: false))" }
        let conflicts = overview.conflicts.map { "conflict \($0.place) \($0.problem)" }
        let failure = overview.saveProblem.map { ["not stored \($0)"] } ?? []
        let apps = overview.flags.appsMark.map { ["apps \($0)"] } ?? []
        self.init(overview.fileProblems.map(\.description) + waits + lack + links + conflicts + failure + apps)
    }

    init(text: String) { self.text = text }
}

struct PageRemark: Hashable, PagePart {
    let heading: String
    let advice: String
}
