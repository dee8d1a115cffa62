import FeatureFlags
import Foundation
import GRDB
import Synchronization

/// What was found of the last few queries: a person who turns the pages of a list asks for the same rows each time.
///
/// It stays as it is until a row comes: whatever else is done to the rows, such as pruning the oldest, adds one too.
final class KnownRows: Sendable {
    /// Whose answer is the same as long as no row comes.
    struct Question: Hashable {
        private let query: HistoryQuery
        /// The bytes of the actor's name, which SQLite compares: Swift takes two spellings of a letter for the same.
        private let actor: [UInt8]?
        private let most: Int
        private let tallied: Int
        /// The newest row.
        private let head: Int64

        /// Asks for the newest rows of a query.
        ///
        /// - Parameter fullQuery: Which rows; where its page begins does not matter.
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

    /// How many queries are known.
    private static let most = 8
    private let counts = Mutex<[(question: Question, found: HistorySearch.Found)]>([])
    /// The batch that was looked at last.
    private let batch = Mutex<(question: Question, sorts: [HistoryBatchOutline.Sort])?>(nil)
    /// The condition that hides rows.
    let shown = ShownRows()

    /// The newest rows, where they are known.
    func count(_ question: Question) -> HistorySearch.Found? {
        counts.withLock { counts in counts.first { $0.question == question }?.found }
    }

    /// Keeps the newest rows.
    func keep(_ found: HistorySearch.Found, for question: Question) {
        counts.withLock { $0 = $0.filter { $0.question != question }.suffix(Self.most - 1) + [(question, found)] }
    }

    /// The sorts of the rows of a batch, which are counted where they are not known.
    func sorts(
        _ question: Question, count: () throws -> [HistoryBatchOutline.Sort]
    ) rethrows -> [HistoryBatchOutline.Sort] {
        if let batch = batch.withLock({ $0 }), batch.question == question { return batch.sorts }
        let sorts = try count()
        batch.withLock { $0 = (question, sorts) }
        return sorts
    }
}

/// The condition that hides what must not appear, as it was last asked for.
///
/// It names the key paths that the history has rows of, and so stays as it is until a row comes.
final class ShownRows: Sendable {
    private struct Known {
        let hidden: HiddenKeys
        /// The newest row.
        let head: Int64
        let condition: SQL
    }

    private let known = Mutex<Known?>(nil)

    /// Whether a row of the table `history` may appear.
    ///
    /// - Parameter hidden: What must not appear.
    func condition(hiding hidden: HiddenKeys, _ db: Database) throws -> SQL {
        let head = try Self.head(db)
        if let known = known.withLock({ $0 }), known.head == head, known.hidden == hidden { return known.condition }
        let condition = try hidden.isShown(db)
        known.withLock { $0 = Known(hidden: hidden, head: head, condition: condition) }
        return condition
    }

    /// The newest row; 0 where there is none.
    static func head(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM history")) ?? 0
    }
}

/// Text in the form in which the history is searched: without case, and composed, so that two spellings of one
/// character are found by either.
enum SearchText {
    /// Folds case as Unicode's full case folding does (`ß` is found by `SS`): upper case first, then lower.
    static func folded(_ text: String) -> String {
        let folded = StoredEvent.storable(text).uppercased().lowercased()
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.precomposedStringWithCanonicalMapping
    }

    /// A value as the pages show it: text as it is, numbers and dates in their text form, the rest as JSON.
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
