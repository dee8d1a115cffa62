import Foundation

/// What a row of the chain must be, because it was kept elsewhere or signed.
struct ChainExpectation {
    let head: ChainHead
    /// When the checkpoint was signed, in microseconds since 1970; `nil` for a head that was kept elsewhere.
    private let signedAt: Int64?
    /// Whether a row that was pruned can't pass for it.
    var mustBeThere: Bool { signedAt == nil }

    /// A head that was kept elsewhere.
    init(kept head: ChainHead) {
        self.head = head
        signedAt = nil
    }

    /// A row that was signed.
    init(_ checkpoint: Checkpoint) {
        head = checkpoint.head
        signedAt = checkpoint.at
    }

    var reasonOfOtherHash: String {
        if head.id == 0 { return "the expected head has no row, so its hash must be zeros" }
        let rest = "it was rewritten"
        guard let signedAt else { return "row \(head.id) is sound but has another hash than expected: \(rest)" }
        return "row \(head.id) is sound but has another hash than the checkpoint of \(Self.text(signedAt)): \(rest)"
    }

    /// What its absence means, where the row of the id `last` is the last one that there is.
    func reasonOfAbsence(after last: Int64) -> String {
        guard let signedAt else { return "row \(last + 1) is missing: the newest rows were cut off" }
        let rows = head.id == last + 1 ? "row \(head.id) is missing" : "rows \(last + 1) to \(head.id) are missing"
        return
            "\(rows), which the checkpoint of \(Self.text(signedAt)) was signed with: the newest rows were cut off, or "
            + "an older copy of the history was put back"
    }

    private static func text(_ at: Int64) -> String {
        HistoryTime.date(at).formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
    }
}
