import FeatureFlags
import Foundation
import GRDB
import Synchronization

/// A cache of the last queries' rows, since turning pages repeats a query.
///
/// Valid until a row is added: whatever else changes rows, such as pruning, adds one too.
final class KnownRows: Sendable {
    struct Question: Hashable {
        private let query: HistoryQuery
        /// Bytes, as SQLite compares: Swift equates equivalent spellings.
        private let actor: [UInt8]?
        private let most: Int
        private let tallied: Int
        private let head: Int64

        init(_ fullQuery: HistoryQuery, countingUpTo most: Int, tallied: Int, _ db: Database) throws {
            var query = fullQuery
            (query.olderThan, query.newerThan, query.limit, query.actor) = (nil, nil, 0, nil)
            self.query = query
            actor = fullQuery.actor.map { Array($0.utf8) }
            self.most = most
            self.tallied = tallied
            head = try ShownRows.head(db)
        }
    }

    private static let most = 8
    private let counts = Mutex<[(question: Question, found: HistorySearch.Found)]>([])
    private let batch = Mutex<(question: Question, sorts: [HistoryBatchOutline.Sort])?>(nil)
    let shown = ShownRows()

    func count(_ question: Question) -> HistorySearch.Found? {
        counts.withLock { counts in counts.first { $0.question == question }?.found }
    }

    func keep(_ found: HistorySearch.Found, for question: Question) {
        counts.withLock { $0 = $0.filter { $0.question != question }.suffix(Self.most - 1) + [(question, found)] }
    }

    func sorts(
        _ question: Question, count: () throws -> [HistoryBatchOutline.Sort]
    ) rethrows -> [HistoryBatchOutline.Sort] {
        if let batch = batch.withLock({ $0 }), batch.question == question { return batch.sorts }
        let sorts = try count()
        batch.withLock { $0 = (question, sorts) }
        return sorts
    }
}

/// A cache of the condition that hides rows.
///
/// It names key paths with rows, so it is valid until a row is added.
final class ShownRows: Sendable {
    private struct Known {
        let hidden: HiddenKeys
        let head: Int64
        let condition: SQL
    }

    private let known = Mutex<Known?>(nil)

    func condition(hiding hidden: HiddenKeys, _ db: Database) throws -> SQL {
        let head = try Self.head(db)
        if let known = known.withLock({ $0 }), known.head == head, known.hidden == hidden { return known.condition }
        let condition = try hidden.isShown(db)
        known.withLock { $0 = Known(hidden: hidden, head: head, condition: condition) }
        return condition
    }

    /// Returns 0 without rows.
    static func head(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM history")) ?? 0
    }
}

/// The searchable form of text: case-folded and canonically composed.
enum SearchText {
    /// Folds case fully (`ß` matches `SS`): upper case first, then lower.
    static func folded(_ text: String) -> String {
        let folded = StoredEvent.storable(text).uppercased().lowercased()
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.precomposedStringWithCanonicalMapping
    }

    /// Returns a value as the pages show it.
    static func folded(_ value: FlagValue) -> String {
        switch value {
        case .string(let text): folded(text)
        case .bool(let value): "\(value)"
        case .integer(let number): "\(number)"
        case .double(let number): folded(FlagNumber.text(number))
        case .date(let date): folded(FlagDate.text(date))
        case .data, .array, .dictionary: folded(FlagJSON.text(value))
        case .broken(let value): folded(value.text)
        }
    }
}
