import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird
import Synchronization

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

    /// The word that stands for the visit before in a query.
    static let word = "visit"
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

/// The newest row of the history that a page was told with, for who has a browser remember it.
final class ShownRow: Sendable {
    private let newest = Mutex<Int64?>(nil)

    /// The row; `nil` where no page told of the history.
    var row: Int64? { newest.withLock { $0 } }

    /// Notes that a page is told with a row.
    func show(_ row: Int64?) { newest.withLock { $0 = row ?? $0 } }
}

/// What a viewer's browser remembers of a dashboard, with what follows from that.
struct ViewerMemory: Hashable, Sendable {
    /// Whether a browser asks at all, and no program.
    var isOfBrowser = false
    /// The visit; `nil` where the browser tells of none.
    var visit: ViewerVisit?
    /// The flags that the viewer comes back to.
    var favourites = Favourites()
    /// What edits from outside have touched since the visit before.
    var editedOutside: Set<FlagKeyPath> = []

    /// The last change that the viewer made on pages.
    var ownChange: LastOwnChange?

    /// What was seen on the visit before; `nil` where there was none.
    var lastVisit: ViewerVisit.Sight? { visit?.before }
}

/// A cookie in which a browser keeps something for one viewer of one dashboard, out of the reach of scripts.
///
/// It grants nothing, and so goes also with a link that is followed from another site: a first visit would else begin there, and
/// take the place of what is kept.
///
/// Its name tells the port and the values file apart: a browser sends one server's cookies to every other port of the machine as
/// well, and containers on several ports often serve files of the same path.
struct ViewerCookie {
    /// For how many seconds a browser keeps it: a year.
    private static let age = 31_536_000

    let name: String
    private let attributes: String

    /// - Parameters:
    ///   - subject: What is kept.
    ///   - tag: What tells the dashboard from others: ``tag(of:at:_:)``.
    ///   - scheme: How the browser reaches the dashboard.
    ///   - mount: The path below which the dashboard is served, which alone gets the cookie.
    init(_ subject: String, tag: String, scheme: Dashboard.Scheme, below mount: MountPath) {
        name = "flagboard-\(subject)-\(tag)"
        attributes =
            "; Path=\(mount.address(of: PageLink.flags)); HttpOnly; SameSite=Lax; Max-Age=\(Self.age)"
            + (scheme == .https ? "; Secure" : "")
    }

    /// What tells a dashboard from others, in eight letters and digits.
    static func tag(of values: URL, at authority: String?, _ scheme: Dashboard.Scheme) -> String {
        let path = values.standardizedFileURL.path(percentEncoded: false)
        let port = SessionCookie.port(of: authority, scheme)
        return ContentHash.sha256(Data("\(port) \(path)".utf8)).prefix(4).hexadecimal
    }

    /// What a request holds; `nil` for nothing.
    func value(in request: Request) -> String? { request.cookies(named: name, upTo: 1).first }

    /// The header that has a browser keep a text of letters that a cookie may have.
    func setting(_ text: String) -> String { "\(name)=\(text)\(attributes)" }
}

extension Dashboard {
    /// A cookie in which the browser that sends a request keeps something for its viewer.
    func viewerCookie(_ subject: String, of request: Request) -> ViewerCookie {
        let tag = ViewerCookie.tag(of: firstFiles.values, at: request.head.authority, scheme)
        return ViewerCookie(subject, tag: tag, scheme: scheme(of: request), below: mount)
    }
}

/// The last change that a person made on pages.
struct LastOwnChange: Hashable, Sendable {
    let record: HistoryRecord
    /// How many changes were made together.
    let count: Int
}
