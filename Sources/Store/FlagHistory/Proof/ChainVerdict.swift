import Foundation

/// What a check of the whole chain found.
public enum ChainVerdict: Hashable, Sendable {
    /// Every row follows from the one before. `count` is the number of rows; `head` the hash of the last one, 32 bytes,
    /// zeros where there is none.
    case sound(count: Int, head: Data)
    /// The row of the id `at` is the first one that is not right, or is missing; `reason` is a sentence.
    case broken(at: Int64, reason: String)
}

/// What a check of a history, with all that proves it, found.
public enum HistoryVerdict: Hashable, Sendable {
    /// Every row follows from the one before, and the signatures show that none up to the newest checkpoint is missing.
    case sound(HistoryCoverage)
    /// The row of the id `at` is the first one that is not right, or is missing; `reason` is a sentence without its
    /// full stop.
    case broken(at: Int64, reason: String)
    /// The rows follow from one another, but what would prove them is gone or altered; `reason` is a sentence without its
    /// full stop.
    case unproven(reason: String)
    /// The rows are proven, but what they are found by is not what they say, so that a search or a time may leave some out;
    /// `reason` is a sentence without its full stop.
    case wrongIndex(HistoryCoverage, reason: String)
    /// The history itself is as it should be, but a file that was named is no archive of its pruned rows, or was altered;
    /// `reason` is a sentence without its full stop.
    case wrongArchive(reason: String)
}

/// What a sound history was found to consist of.
public struct HistoryCoverage: Hashable, Sendable {
    /// The last row.
    public let head: ChainHead
    /// The last row that the newest checkpoint was signed for; newer ones rest on the chain alone.
    public let signedID: Int64
    /// When that checkpoint was signed, in UTC.
    public let signedAt: Date
    /// The fingerprint of the signing key: SHA-256 of the public key, 32 bytes.
    public let key: Data
    /// Where older rows were pruned, oldest first.
    public let anchors: [HistoryAnchor]
    /// How many archives were checked with it.
    public let archives: Int

    /// The first row that is still there, or would be.
    public var firstID: Int64 { (anchors.last?.last ?? 0) + 1 }
    /// How many rows are there.
    public var count: Int { Int(head.id - firstID + 1) }
}
