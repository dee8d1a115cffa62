import Foundation
import GRDB

/// A search within a bounded time.
///
/// Reads portions of candidates, nearest first, and always a minimum, so that a short history is searched completely.
struct HistorySearch {
    struct Found {
        /// Nearest first.
        var ids: [Int64] = []
        /// The changes, without notes, if asked for.
        var tally: [HistorySummary.Share: Int] = [:]
        /// The last row read; `nil` if nothing is left.
        var lookedUpTo: Int64?
    }

    enum Effort {
        case listing
        case counting
        /// Looks for one more row.
        case peeking
        /// Unbounded, for an export.
        case exhaustive

        /// The candidates read however long it takes.
        fileprivate var leastLookedAt: Int {
            switch self {
            case .listing: 500
            case .counting: 1000
            case .peeking: 100
            case .exhaustive: .max
            }
        }

        /// The time allowed beyond ``leastLookedAt``.
        fileprivate var patience: Duration {
            switch self {
            case .listing: .microseconds(1500)
            case .counting: .microseconds(700)
            case .peeking: .microseconds(200)
            case .exhaustive: .zero
            }
        }
    }

    let db: Database
    let candidates: IndexChoice
    let condition: SQL
    let areStatementsKept: Bool
    /// All ids of the query's time, perhaps more; `nil` if empty.
    let bounds: ClosedRange<Int64>?

    init(_ query: HistoryQuery, _ db: Database, _ shown: ShownRows = ShownRows()) throws {
        self.db = db
        candidates = try IndexChoice(query, db)
        areStatementsKept = query.hasFewStatements && candidates.hasFewStatements
        condition = query.condition(isShown: try shown.condition(hiding: query.hiddenKeys, db))
        bounds = try Self.bounds(query, db)
    }

    func find(
        in range: ClosedRange<Int64>, ascending: Bool, limit: Int, effort: Effort, tallied: Int = 0
    ) throws -> Found {
        var found = Found()
        guard let bounds, bounds.overlaps(range), limit > 0 else { return found }
        var rest = bounds.clamped(to: range)
        var pace = Pace(candidates, effort, limit)
        while true {
            let portion = portion(of: rest, pace.next, ascending)
            try collect(portion, limit, tallied, ascending, &found)
            guard found.ids.count < limit, let end = try end(of: portion, ascending),
                ascending ? end < rest.upperBound : end > rest.lowerBound
            else { return found }
            guard pace.goesOn(after: portion.size) else {
                found.lookedUpTo = end
                return found
            }
            rest = ascending ? (end + 1)...rest.upperBound : rest.lowerBound...(end - 1)
        }
    }

    private static func bounds(_ query: HistoryQuery, _ db: Database) throws -> ClosedRange<Int64>? {
        // Only a time needs the hours: all of them, since a clock may have been set back.
        let first: SQL =
            query.from.map {
                "min(first) FROM history_hour WHERE hour >= \(HistoryTime.microseconds($0)) / 3600000000"
            } ?? "min(id) FROM history"
        let last: SQL =
            query.until.map {
                "max(last) FROM history_hour WHERE hour <= \(HistoryTime.microseconds($0)) / 3600000000"
            } ?? "max(id) FROM history"
        let row = try SQLRequest<Row>(literal: "SELECT (SELECT \(first)), (SELECT \(last))", cached: true).fetchOne(db)
        guard let first: Int64 = row?[0], let last: Int64 = row?[1] else { return nil }
        let start = query.since.map { max(first, $0 == .max ? .max : $0 + 1) } ?? first
        let ids = HistoryRecord.possibleIDs
        return start <= last && ids.overlaps(start...last) ? (start...last).clamped(to: ids) : nil
    }
}

extension HistorySearch {
    private struct Portion {
        let window: ClosedRange<Int64>
        /// In ids if the search ends by id, else in candidates.
        let size: Int
        /// `true` if nothing is left beyond the window.
        let isLast: Bool
    }

    private func portion(of rest: ClosedRange<Int64>, _ size: Int, _ ascending: Bool) -> Portion {
        // An altered file may hold ids from end to end.
        let (span, overflows) = rest.upperBound.subtractingReportingOverflow(rest.lowerBound)
        guard candidates.endsByID, overflows || span >= size else {
            return Portion(window: rest, size: size, isLast: candidates.endsByID)
        }
        let length = Int64(size) - 1
        let window =
            ascending
            ? rest.lowerBound...(rest.lowerBound + length) : (rest.upperBound - length)...rest.upperBound
        return Portion(window: window, size: size, isLast: false)
    }

    private func collect(
        _ portion: Portion, _ limit: Int, _ tallied: Int, _ ascending: Bool, _ found: inout Found
    ) throws {
        let size = candidates.endsByID ? Int.max : portion.size
        let isTallied = tallied > 0
        let matches = matches(
            in: portion.window, size: size, ascending: ascending, limit: limit - found.ids.count, isTallied: isTallied
        )
        let rows = try SQLRequest<Row>(literal: matches, cached: areStatementsKept).fetchCursor(db)
        while let row = try rows.next() {
            let isNote: Bool = isTallied ? try row.sound(row[4], "note", of: "a row") : false
            if found.ids.count < tallied, !isNote {
                let share = HistorySummary.Share(
                    quarter: try row.sound(row[1], "quarter", of: "a row"),
                    actor: try row.sound(row[2], "actor", of: "a row"),
                    isOutside: try row.sound(row[3], "outside", of: "a row"))
                found.tally[share, default: 0] += 1
            }
            found.ids.append(row[0])
        }
    }

    func matches(in window: ClosedRange<Int64>, size: Int, ascending: Bool, limit: Int, isTallied: Bool) -> SQL {
        let order: SQL = ascending ? "ASC" : "DESC"
        let columns: SQL =
            isTallied
            ? """
            history.id, at / \(HistoryTime.quarter) AS quarter, actor, origin = 'external' AS outside,
                kind = 'note' AS isNote
            """ : "history.id"
        guard !candidates.isAll else {
            return """
                SELECT \(columns) FROM history NOT INDEXED
                WHERE history.id BETWEEN \(window.lowerBound) AND \(window.upperBound) AND \(condition)
                ORDER BY 1 \(order) LIMIT \(limit)
                """
        }
        return """
            WITH candidate (row) AS MATERIALIZED (\(candidates.ids(in: window)) ORDER BY 1 \(order) LIMIT \(size))
            SELECT \(columns) FROM candidate CROSS JOIN history ON history.id = candidate.row
            WHERE \(condition) ORDER BY 1 \(order) LIMIT \(limit)
            """
    }

    /// Returns the last id before the next row, since an altered file may leave out ids without end.
    private func end(of window: ClosedRange<Int64>, _ ascending: Bool) throws -> Int64? {
        let next: SQL =
            ascending
            ? "SELECT min(id) FROM history WHERE id > \(window.upperBound)"
            : "SELECT max(id) FROM history WHERE id < \(window.lowerBound)"
        return try SQLRequest<Int64?>(literal: next, cached: true).fetchOne(db)?.map { ascending ? $0 &- 1 : $0 &+ 1 }
    }

    /// Returns `nil` if nothing is left.
    private func end(of portion: Portion, _ ascending: Bool) throws -> Int64? {
        guard !portion.isLast else { return nil }
        guard !candidates.endsByID else { return try end(of: portion.window, ascending) }
        let order: SQL = ascending ? "ASC" : "DESC"
        return try SQLRequest<Int64>(
            literal: "\(candidates.ids(in: portion.window)) ORDER BY 1 \(order) LIMIT 1 OFFSET \(portion.size - 1)",
            cached: areStatementsKept
        ).fetchOne(db)
    }

    /// Chooses portions so that a search ends soon after its deadline.
    private struct Pace {
        private static let clock = ContinuousClock()
        /// In candidates, or in ids if the search ends by id.
        private static let (least, greatest) = (100, 8000)
        private static let (leastWindow, greatestWindow) = (1000, 200_000)

        private(set) var next: Int
        private let effort: Effort
        private let bounds: ClosedRange<Int>
        private let deadline: ContinuousClock.Instant
        private var portionStart: ContinuousClock.Instant
        private var lookedAt = 0

        init(_ candidates: IndexChoice, _ effort: Effort, _ limit: Int) {
            self.effort = effort
            bounds = candidates.isSparse ? Self.leastWindow...Self.greatestWindow : Self.least...Self.greatest
            // If all candidates match, one portion fills a page.
            next = max(bounds.lowerBound, min(limit, 500))
            portionStart = Self.clock.now
            deadline = portionStart + effort.patience
        }

        /// Returns `true` if there is time for another portion, and sets ``next`` to fit.
        mutating func goesOn(after size: Int) -> Bool {
            let now = Self.clock.now
            let (took, left) = ((now - portionStart) / .microseconds(1), (deadline - now) / .microseconds(1))
            lookedAt += size
            portionStart = now
            if effort == .exhaustive {
                next = min(size * 4, bounds.upperBound)
                return true
            }
            let fitting = Int(min(Double(size) * max(left, 0) / max(took, 1), Double(size) * 4))
            let owed = effort.leastLookedAt - lookedAt
            guard owed > 0 || fitting >= bounds.lowerBound / 2 else { return false }
            next = min(max(fitting, owed, bounds.lowerBound), bounds.upperBound)
            return true
        }
    }
}
