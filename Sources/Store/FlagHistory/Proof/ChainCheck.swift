import Foundation

struct ChainCheck {
    /// Few rows per snapshot, so that writes meanwhile don't pile up in the WAL.
    static let batch = 1000

    let start: ChainHead
    let expectations: [Int64: [ChainExpectation]]
    private(set) var head: ChainHead
    private var hasBegun = false
    private var breach: ChainVerdict?
    private var check = RowCheck()

    init(after start: ChainHead, _ expectations: [ChainExpectation]) {
        self.start = start
        head = start
        self.expectations = Dictionary(grouping: expectations, by: \.head.id)
        for expected in self.expectations[start.id] ?? [] where expected.head.hash != start.hash {
            breach = .broken(at: start.id, reason: expected.reasonOfOtherHash)
        }
        for id in self.expectations.keys.filter({ $0 < start.id }).sorted() {
            for expected in self.expectations[id] ?? [] where expected.mustBeThere && breach == nil {
                breach = .broken(
                    at: id,
                    reason: "row \(id) was pruned; check the archive that contains it")
            }
        }
    }

    /// Before every row at first, even those with ids below 1.
    var lastID: Int64 { hasBegun ? head.id : .min }

    var verdict: ChainVerdict {
        if let breach { return breach }
        if let last = expectations.keys.max(), last > head.id, let expected = expectations[last]?.first {
            return .broken(at: head.next, reason: expected.reasonOfAbsence(after: head.id))
        }
        return .sound(count: Int(head.id &- start.id), head: head.hash)
    }

    /// Checks a row; returns `false` once any row was wrong.
    mutating func accepts(_ row: HashedColumns) -> Bool {
        if breach == nil, let reason = fault(of: row) { breach = reason }
        return breach == nil
    }

    private mutating func fault(of row: HashedColumns) -> ChainVerdict? {
        let next = head.next
        guard let id = row.number(.id) else { return .broken(at: next, reason: "row \(next) is missing") }
        guard id >= next else {
            return .broken(at: id, reason: "row \(id) comes before the first one, which is row \(start.next)")
        }
        guard id == next else { return .broken(at: next, reason: "row \(next) is missing") }
        guard RowCheck.holds(row.bytes(.previousHash), head.hash) else {
            return .broken(at: id, reason: "row \(id) doesn't contain the hash of the previous row")
        }
        guard let hash = check.hash(of: row), RowCheck.holds(row.bytes(.hash), hash) else {
            return .broken(at: id, reason: "the hash of row \(id) doesn't match its content")
        }
        guard RowCheck.isFiledUnderItsKey(row) else {
            return .broken(at: id, reason: "row \(id) is filed under the wrong key")
        }
        for expected in expectations[id] ?? [] where expected.head.hash != hash {
            return .broken(at: id, reason: expected.reasonOfOtherHash)
        }
        head = ChainHead(id: id, hash: hash)
        hasBegun = true
        return nil
    }
}

/// A head that the chain must contain: it was kept elsewhere or signed.
struct ChainExpectation {
    let head: ChainHead
    /// Microseconds since 1970; `nil` for a head kept elsewhere.
    private let signedAt: Int64?
    var mustBeThere: Bool { signedAt == nil }

    init(kept head: ChainHead) {
        self.head = head
        signedAt = nil
    }

    init(_ checkpoint: Checkpoint) {
        head = checkpoint.head
        signedAt = checkpoint.at
    }

    var reasonOfOtherHash: String {
        if head.id == 0 { return "the expected head has no row, so its hash must be all zeros" }
        let rest = "it was rewritten"
        guard let signedAt else {
            return "row \(head.id) is intact but its hash differs from the expected one: "
                + "\(rest)"
        }
        return "row \(head.id) is intact but its hash differs from the checkpoint of \(Self.text(signedAt)): \(rest)"
    }

    func reasonOfAbsence(after last: Int64) -> String {
        guard let signedAt else { return "row \(last &+ 1) is missing: the newest rows were cut off" }
        let rows = head.id == last &+ 1 ? "row \(head.id) is missing" : "rows \(last &+ 1) to \(head.id) are missing"
        return
            "\(rows) that the checkpoint of \(Self.text(signedAt)) includes: the newest rows were cut off, or an older "
            + "copy of the history was restored"
    }

    private static func text(_ at: Int64) -> String {
        HistoryTime.date(at).formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
    }
}
