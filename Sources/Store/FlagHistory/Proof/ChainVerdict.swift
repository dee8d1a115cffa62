import Foundation

/// The result of checking the chain.
package enum ChainVerdict: Hashable, Sendable {
    /// Every row follows from the one before; `head` is the last hash, 32 bytes, zeros without rows.
    case sound(count: Int, head: Data)
    /// The row `at` is the first wrong or missing one; `reason` is a sentence.
    case broken(at: Int64, reason: String)
}

/// The result of checking a history with all its proofs.
package enum HistoryVerdict: Hashable, Sendable {
    /// The chain is intact up to the newest checkpoint at least.
    case sound(HistoryCoverage)
    /// The row `at` is the first wrong or missing one; `reason` has no full stop.
    case broken(at: Int64, reason: String)
    /// The chain is intact, but its proofs are missing or altered; `reason` has no full stop.
    case unproven(reason: String)
    /// The rows are proven, but their indexes differ, so a search may miss rows; `reason` has no full stop.
    case wrongIndex(HistoryCoverage, reason: String)
    /// The history is sound, but a given archive is altered or not its own; `reason` has no full stop.
    case wrongArchive(reason: String)
}

/// The extent of a sound history.
package struct HistoryCoverage: Hashable, Sendable {
    /// The last row.
    package let head: ChainHead
    /// The newest checkpoint's row; later rows rest on the chain alone.
    package let signedID: Int64
    /// The time of the newest checkpoint, in UTC.
    package let signedAt: Date
    /// The SHA-256 of the public key, 32 bytes.
    package let key: Data
    /// The prunings, oldest first.
    package let anchors: [HistoryAnchor]
    /// The number of archives checked.
    package let archives: Int

    /// The first row that was not pruned.
    package var firstID: Int64 { (anchors.last?.last ?? 0) + 1 }
    /// The number of rows left.
    package var count: Int { Int(head.id - firstID + 1) }
}
