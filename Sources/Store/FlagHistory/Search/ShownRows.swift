import FeatureFlags
import Foundation
import GRDB
import Synchronization

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
