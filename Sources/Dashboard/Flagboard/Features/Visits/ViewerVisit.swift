import Foundation

/// One visit of a viewer, and what the viewer had seen when the visit before it ended.
///
/// A visit goes on for as long as pages are asked for; after ``quiet`` without one, the next page begins another.
///
/// ```swift
/// let first = ViewerVisit(latest: .init(row: 7, at: morning))
/// first.next(row: 9, at: evening).before?.row  // 7
/// ```
struct ViewerVisit: Hashable, Sendable {
    /// How far the history had come with a page.
    struct Sight: Hashable, Sendable {
        /// The newest row of the history; 0 where there was none.
        let row: Int64
        /// When the page was asked for, to the second.
        let at: Date

        init(row: Int64, at: Date) {
            self.row = row
            self.at = Date(timeIntervalSince1970: at.timeIntervalSince1970.rounded(.down))
        }
    }

    /// For how long no page may be asked for in one visit, in seconds: half an hour.
    static let quiet: TimeInterval = 1800

    /// The last page of this visit.
    let latest: Sight
    /// The last page of the visit before; `nil` in the first one that is known.
    let before: Sight?

    init(latest: Sight, before: Sight? = nil) {
        self.latest = latest
        self.before = before
    }

    /// The visit that the next page belongs to: this one, or a new one.
    func next(row: Int64, at time: Date) -> ViewerVisit {
        let isNew = time.timeIntervalSince(latest.at) > Self.quiet
        return ViewerVisit(latest: Sight(row: row, at: time), before: isNew ? latest : before)
    }

    /// This visit where its last page was told with another row.
    func seeing(row: Int64) -> ViewerVisit { ViewerVisit(latest: Sight(row: row, at: latest.at), before: before) }

    /// Whether a browser may be telling of this history: nothing that it has seen is newer than what there is.
    func isPossible(row: Int64, at time: Date) -> Bool {
        // A browser may tell of any numbers, so that no range is made of them.
        let isOrdered = before.map { $0.row >= 0 && $0.row <= latest.row && $0.at <= latest.at } ?? true
        return isOrdered && latest.row >= 0 && latest.row <= row && latest.at <= time.addingTimeInterval(Self.quiet)
    }
}
