import Foundation
import Hummingbird

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
