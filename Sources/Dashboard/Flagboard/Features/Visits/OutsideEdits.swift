import FeatureFlags
import FlagHistory
import Foundation
import Hummingbird
import Synchronization

/// Which flags edits from outside have touched since some rows: looked up once for all viewers, and carried on by the rows that
/// came since.
final class OutsideEdits: Sendable {
    /// The newest row of each flag among some rows that tells of an edit from outside.
    private struct Known {
        /// The last row before them.
        let start: Int64
        /// The last of them.
        let end: Int64
        let rows: [FlagKeyPath: Int64]
    }

    /// How many of the newest rows are looked at: what was edited before them is not told of.
    private let reach: Int64
    private let known = Mutex<Known?>(nil)

    /// - Parameter reach: How many of the newest rows are looked at.
    init(reach: Int64 = 100_000) { self.reach = reach }

    /// The key paths that edits from outside have touched since a row.
    func keys(after start: Int64, through end: Int64, in history: HistoryStore) throws(HistoryStoreError) -> Set<
        FlagKeyPath
    > {
        let start = max(start, end - reach)
        guard start < end else { return [] }
        let rows = try rows(after: start, through: end, in: history)
        return Set(rows.lazy.filter { $0.value > start }.map(\.key))
    }

    /// The newest rows by flags, of all rows between two and perhaps of some before them.
    private func rows(
        after start: Int64, through end: Int64, in history: HistoryStore
    ) throws(HistoryStoreError) -> [FlagKeyPath: Int64] {
        // A history with fewer rows than before is another one.
        let last = known.withLock { $0 }.flatMap { $0.end <= end ? $0 : nil }
        guard let last else { return try keep(after: start, through: end, nil, in: history) }
        if last.start <= start, last.end == end { return last.rows }
        guard last.start > start else { return try keep(after: last.end, through: end, last, in: history) }
        let older = try history.keysEditedOutside(after: start, through: last.start)
        let longer = Known(start: start, end: last.end, rows: last.rows.merging(older, uniquingKeysWith: max))
        return try keep(after: last.end, through: end, longer, in: history)
    }

    /// Looks up the rows that came since, and keeps them with what was known; what is out of reach is left out.
    private func keep(
        after row: Int64, through end: Int64, _ last: Known?, in history: HistoryStore
    ) throws(HistoryStoreError) -> [FlagKeyPath: Int64] {
        let new = try history.keysEditedOutside(after: row, through: end)
        let rows = (last?.rows ?? [:]).merging(new, uniquingKeysWith: max)
        let start = max(last?.start ?? row, end - reach)
        let next = Known(start: start, end: end, rows: rows.filter { $0.value > start })
        known.withLock { $0 = next }
        return next.rows
    }
}

extension Dashboard {
    var outsideEdits: OutsideEdits { states.value { OutsideEdits() } }
}

/// The cookie that keeps a viewer's visit: the row and the time of its last page and, behind them, those of the visit before.
struct VisitCookie {
    /// How long a page may have been asked for before the next one has it kept anew, in seconds.
    private static let pace: TimeInterval = 60
    /// How long a cookie may be, in bytes: four numbers.
    private static let longest = 80

    /// The last second that a cookie may tell of: the end of the year 9999.
    private static let latestSecond: Int64 = 253_402_300_799

    private let cookie: ViewerCookie

    init(_ cookie: ViewerCookie) { self.cookie = cookie }

    /// The visit that a request tells of.
    ///
    /// - Returns: The visit; `nil` for none, and for what can't be one of this history.
    func visit(in request: Request, row: Int64, at time: Date) -> ViewerVisit? {
        cookie.value(in: request).flatMap(Self.visit(from:)).flatMap { $0.isPossible(row: row, at: time) ? $0 : nil }
    }

    /// The header that has a browser keep a visit.
    ///
    /// - Returns: The header; `nil` where what the browser keeps will do.
    func setting(_ visit: ViewerVisit, over kept: ViewerVisit?) -> String? {
        if let kept, kept.before == visit.before, kept.latest.row == visit.latest.row,
            visit.latest.at.timeIntervalSince(kept.latest.at) < Self.pace
        {
            return nil
        }
        return cookie.setting(Self.text(of: visit))
    }

    private static func text(of visit: ViewerVisit) -> String {
        [visit.latest, visit.before].compactMap { sight in
            sight.map { "\($0.row).\(Int64($0.at.timeIntervalSince1970))" }
        }.joined(separator: ".")
    }

    private static func visit(from text: String) -> ViewerVisit? {
        guard text.utf8.count <= longest else { return nil }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        let known = numbers.compactMap { $0 }
        guard known.count == numbers.count, [2, 4].contains(known.count), known.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        let seconds = known.indices.filter { $0 % 2 == 1 }.map { known[$0] }
        guard seconds.allSatisfy({ $0 <= latestSecond }) else { return nil }
        func sight(_ place: Int) -> ViewerVisit.Sight {
            .init(row: known[place], at: Date(timeIntervalSince1970: TimeInterval(known[place + 1])))
        }
        return ViewerVisit(latest: sight(0), before: known.count == 4 ? sight(2) : nil)
    }
}
