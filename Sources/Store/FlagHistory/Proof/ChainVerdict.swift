import Foundation

package enum ChainVerdict: Hashable, Sendable {
    /// `head` is the last hash; zeros without rows.
    case sound(count: Int, head: Data)
    /// `at` is the first wrong or missing row; `reason` has no full stop.
    case broken(at: Int64, reason: String)
}

/// The result of checking a history with all its proofs; no `reason` has a full stop.
package enum HistoryVerdict: Hashable, Sendable {
    /// The chain is intact at least up to the newest checkpoint.
    case sound(HistoryCoverage)
    /// `at` is the first wrong or missing row.
    case broken(at: Int64, reason: String)
    /// The chain is intact, but its proofs are missing or altered.
    case unproven(reason: String)
    /// The rows are proven, but their indexes differ, so a search may miss rows.
    case wrongIndex(HistoryCoverage, reason: String)
    /// The history is sound, but a given archive is altered or not its own.
    case wrongArchive(reason: String)
}

package struct HistoryCoverage: Hashable, Sendable {
    package let head: ChainHead
    /// The newest checkpoint's row; later rows rest on the chain alone.
    package let signedID: Int64
    package let signedAt: Date
    /// The public key's SHA-256.
    package let key: Data
    /// Oldest first.
    package let anchors: [HistoryAnchor]
    /// The number of archives checked.
    package let archives: Int

    package var firstID: Int64 { (anchors.last?.last ?? 0) &+ 1 }
    package var count: Int { Int(head.id &- firstID &+ 1) }
}
