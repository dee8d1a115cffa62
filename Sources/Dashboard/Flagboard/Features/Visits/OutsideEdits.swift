import FeatureFlags
import FlagHistory
import Foundation
import Hummingbird
import Synchronization

/// A cache of the flags edited outside, shared by all viewers and extended by new rows.
final class OutsideEdits: Sendable {
    /// The newest one of each flag within a range of rows.
    private struct Known {
        /// The last row before the range.
        let start: Int64
        /// The last row of the range.
        let end: Int64
        let rows: [FlagKeyPath: Int64]
    }

    /// Newest rows to search; older edits are ignored.
    private let reach: Int64
    private let known = Mutex<Known?>(nil)

    init(reach: Int64 = 100_000) { self.reach = reach }

    func keys(after start: Int64, through end: Int64, in history: HistoryStore) throws(HistoryStoreError) -> Set<
        FlagKeyPath
    > {
        let start = max(start, end - reach)
        guard start < end else { return [] }
        let rows = try rows(after: start, through: end, in: history)
        return Set(rows.lazy.filter { $0.value > start }.map(\.key))
    }

    /// Returns each flag's newest outside edit, perhaps including some rows before the range.
    private func rows(
        after start: Int64, through end: Int64, in history: HistoryStore
    ) throws(HistoryStoreError) -> [FlagKeyPath: Int64] {
        // Fewer rows than before mean another history.
        let last = known.withLock { $0 }.flatMap { $0.end <= end ? $0 : nil }
        guard let last else { return try keep(after: start, through: end, nil, in: history) }
        if last.start <= start, last.end == end { return last.rows }
        guard last.start > start else { return try keep(after: last.end, through: end, last, in: history) }
        let older = try history.keysEditedOutside(after: start, through: last.start)
        let longer = Known(start: start, end: last.end, rows: last.rows.merging(older, uniquingKeysWith: max))
        return try keep(after: last.end, through: end, longer, in: history)
    }

    /// Adds the new rows to the known ones within reach.
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

/// The cookie of a viewer's visit: row and time of the last page, then those of the previous visit.
struct VisitCookie {
    /// The least time between two updates of the cookie for the same row, in seconds.
    private static let pace: TimeInterval = 60
    /// In bytes, for four numbers.
    private static let longest = 80

    /// The end of the year 9999.
    private static let latestSecond: Int64 = 253_402_300_799

    private let cookie: ViewerCookie

    init(_ cookie: ViewerCookie) { self.cookie = cookie }

    /// `nil` if impossible in this history.
    func visit(in request: Request, row: Int64, at time: Date) -> ViewerVisit? {
        cookie.value(in: request).flatMap(Self.visit(from:)).flatMap { $0.isPossible(row: row, at: time) ? $0 : nil }
    }

    /// Returns the `Set-Cookie` header, or `nil` if the browser's cookie is recent enough.
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
