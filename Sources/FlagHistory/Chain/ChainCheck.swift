import Foundation
import GRDB

/// The state of a walk along the chain.
struct ChainCheck {
    /// How many rows one snapshot of the database is held for, so that writes meanwhile don't pile up in the WAL.
    static let batch = 1000

    /// Texts are read as their bytes, so that nothing is repaired or composed on the way to the hash.
    static let rows = """
        SELECT id, CAST(batch AS BLOB), at, CAST(actor AS BLOB), CAST(role AS BLOB), CAST(origin AS BLOB),
            CAST(kind AS BLOB), CAST(provider AS BLOB), CAST("key" AS BLOB), CAST(type AS BLOB),
            CAST("before" AS BLOB), CAST("after" AS BLOB), CAST(reason AS BLOB), CAST(request_id AS BLOB),
            CAST(idempotency_key AS BLOB), file_hash_before, file_hash_after, previous_hash, hash,
            CAST(path AS BLOB)
        FROM history WHERE id > ? ORDER BY id LIMIT ?
        """

    let start: ChainHead
    let expectations: [Int64: [ChainExpectation]]
    private(set) var head: ChainHead
    private var hasBegun = false
    private var breach: ChainVerdict?

    /// Begins a walk.
    ///
    /// - Parameters:
    ///   - start: What the first row follows on.
    ///   - expectations: What rows of the chain must be.
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
                    reason: "row \(id) was pruned: the archive that holds it can show that it is the expected one")
            }
        }
    }

    /// Where the next batch begins: before every row at first, even before those whose id is not positive.
    var lastID: Int64 { hasBegun ? head.id : .min }

    var verdict: ChainVerdict {
        if let breach { return breach }
        if let last = expectations.keys.max(), last > head.id, let expected = expectations[last]?.first {
            return .broken(at: head.id + 1, reason: expected.reasonOfAbsence(after: head.id))
        }
        return .sound(count: Int(head.id - start.id), head: head.hash)
    }

    mutating func accepts(_ row: Row) -> Bool {
        if breach == nil, let reason = fault(of: row) { breach = reason }
        guard breach == nil else { return false }
        head = ChainHead(id: row[0], hash: row[18])
        hasBegun = true
        return true
    }

    private func fault(of row: Row) -> ChainVerdict? {
        let next = head.id + 1
        let id: Int64 = row[0]
        guard id >= next else {
            return .broken(at: id, reason: "row \(id) comes before the first one, which is row \(start.id + 1)")
        }
        guard id == next else { return .broken(at: next, reason: "row \(next) is missing") }
        guard row[17] as Data? == head.hash else {
            return .broken(at: id, reason: "row \(id) does not name the hash of the row before")
        }
        guard let at = row[2] as Int64?, row[18] as Data? == Self.hash(id: id, at: at, row) else {
            return .broken(at: id, reason: "row \(id) does not say what its hash was made of")
        }
        guard let key = row[8] as Data?,
            row[19] as Data? == Data(StoredEvent.path(of: String(decoding: key, as: UTF8.self)).utf8)
        else { return .broken(at: id, reason: "row \(id) is filed under another key than its own") }
        for expected in expectations[id] ?? [] where expected.head.hash != row[18] as Data? {
            return .broken(at: id, reason: expected.reasonOfOtherHash)
        }
        return nil
    }

    private static func hash(id: Int64, at: Int64, _ row: Row) -> Data {
        var hasher = ChainHasher()
        hasher.add(id)
        hasher.add(row[1] as Data?)
        hasher.add(at)
        for column in 3...17 { hasher.add(row[column] as Data?) }
        return hasher.finish()
    }
}
