import Foundation
import GRDB

/// Looks for the rows of a query within a bounded time.
///
/// It looks at the candidates in portions, the nearest first, and ends where it has enough rows, where there are no more,
/// or where time is up: a few rows are always looked at, so that a short history is never left half searched.
struct HistorySearch {
    /// What was found.
    struct Found {
        /// The rows, the nearest first.
        var ids: [Int64] = []
        /// The last row that was looked at, where looking ended before all were; `nil` where nothing is left.
        var lookedUpTo: Int64?
    }

    /// How much a search may cost.
    enum Effort {
        /// The rows of a page.
        case listing
        /// How many rows there are, which is told as far as it is known.
        case counting
        /// Whether there is one more.
        case peeking
        /// All that it takes, for an export.
        case exhaustive

        /// How many candidates are looked at, however long it takes.
        fileprivate var leastLookedAt: Int {
            switch self {
            case .listing: 10_000
            case .counting: 5000
            case .peeking: 1000
            case .exhaustive: .max
            }
        }

        /// How long it may take beyond them.
        fileprivate var patience: Duration {
            switch self {
            case .listing: .milliseconds(15)
            case .counting: .milliseconds(5)
            case .peeking, .exhaustive: .zero
            }
        }
    }

    private static let (firstPortion, greatestPortion) = (500, 8000)
    /// How many ids the full-text index is first asked for, and at most.
    private static let (firstWindow, greatestWindow) = (5000, 80_000)

    let db: Database
    let candidates: HistoryCandidates
    let condition: SQL
    /// The rows of the time that is asked for, and perhaps others; `nil` where there are none.
    let bounds: ClosedRange<Int64>?
    private let clock = ContinuousClock()

    /// Prepares for a query.
    init(_ query: HistoryQuery, _ db: Database) throws {
        self.db = db
        candidates = try HistoryCandidates(query, db)
        condition = query.condition
        bounds = try Self.bounds(query, db)
    }

    /// Looks for rows.
    ///
    /// - Parameters:
    ///   - range: The ids to look at.
    ///   - ascending: Whether the oldest come first.
    ///   - limit: How many rows are enough.
    ///   - effort: When to end at most.
    /// - Returns: The rows.
    /// - Throws: Why they can't be read.
    func find(in range: ClosedRange<Int64>, ascending: Bool, limit: Int, effort: Effort) throws -> Found {
        var found = Found()
        guard let bounds, bounds.overlaps(range), limit > 0 else { return found }
        var rest = bounds.clamped(to: range)
        let deadline = clock.now + effort.patience
        var (portion, lookedAt) = (candidates.isSparse ? Self.firstWindow : Self.firstPortion, 0)
        while true {
            let window = candidates.isSparse ? Self.window(of: rest, portion, ascending) : rest
            let order: SQL = ascending ? "ASC" : "DESC"
            let wanted = limit - found.ids.count
            let size = candidates.isSparse ? Int.max : portion
            let ids: SQL = "\(candidates.ids(in: window)) ORDER BY 1 \(order) LIMIT \(size)"
            found.ids += try SQLRequest<Int64>(
                literal: """
                    WITH candidate (row) AS MATERIALIZED (\(ids))
                    SELECT history.id FROM candidate CROSS JOIN history ON history.id = candidate.row
                    WHERE \(condition) ORDER BY 1 \(order) LIMIT \(wanted)
                    """
            ).fetchAll(db)
            let end: Int64?
            if candidates.isSparse {
                end = window == rest ? nil : ascending ? window.upperBound : window.lowerBound
                lookedAt += window.count
            } else {
                end = try SQLRequest<Int64>(
                    literal: "\(candidates.ids(in: rest)) ORDER BY 1 \(order) LIMIT 1 OFFSET \(portion - 1)"
                ).fetchOne(db)
                lookedAt += portion
            }
            guard found.ids.count < limit, let end, end != (ascending ? rest.upperBound : rest.lowerBound) else {
                return found
            }
            if lookedAt >= effort.leastLookedAt, clock.now >= deadline {
                found.lookedUpTo = end
                return found
            }
            rest = ascending ? (end + 1)...rest.upperBound : rest.lowerBound...(end - 1)
            portion = min(portion * 4, candidates.isSparse ? Self.greatestWindow : Self.greatestPortion)
        }
    }

    private static func window(
        of range: ClosedRange<Int64>, _ size: Int, _ ascending: Bool
    ) -> ClosedRange<Int64> {
        guard range.count > size else { return range }
        return ascending
            ? range.lowerBound...(range.lowerBound + Int64(size) - 1)
            : (range.upperBound - Int64(size) + 1)...range.upperBound
    }

    /// The ids from the first to the last row of the hours that are asked for.
    private static func bounds(_ query: HistoryQuery, _ db: Database) throws -> ClosedRange<Int64>? {
        let from: SQL = query.from.map { "hour >= \(HistoryTime.microseconds($0)) / 3600000000" } ?? "TRUE"
        let until: SQL = query.until.map { "hour <= \(HistoryTime.microseconds($0)) / 3600000000" } ?? "TRUE"
        let row = try SQLRequest<Row>(
            literal: """
                SELECT (SELECT min(first) FROM history_hour WHERE \(from)), (SELECT max(last) FROM history_hour WHERE \(until))
                """
        ).fetchOne(db)
        guard let first: Int64 = row?[0], let last: Int64 = row?[1], first <= last else { return nil }
        return first...last
    }
}
