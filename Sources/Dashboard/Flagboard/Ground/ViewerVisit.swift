import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird
import Synchronization

/// A viewer's visit, and the end of the previous one.
///
/// A visit lasts while pages are requested; after ``quiet`` without one, the next page begins another.
///
/// ```swift
/// let first = ViewerVisit(latest: .init(row: 7, at: morning))
/// first.next(row: 9, at: evening).before?.row  // 7
/// ```
struct ViewerVisit: Hashable, Sendable {
    struct Sight: Hashable, Sendable {
        /// The newest row; 0 for none.
        let row: Int64
        /// The request's time, to the second.
        let at: Date

        init(row: Int64, at: Date) {
            self.row = row
            self.at = Date(timeIntervalSince1970: at.timeIntervalSince1970.rounded(.down))
        }
    }

    static let word = "visit"
    /// Seconds without a page that end a visit: half an hour.
    static let quiet: TimeInterval = 1800

    let latest: Sight
    /// The last page of the previous visit; `nil` in the first known one.
    let before: Sight?

    init(latest: Sight, before: Sight? = nil) {
        self.latest = latest
        self.before = before
    }

    func next(row: Int64, at time: Date) -> ViewerVisit {
        let isNew = time.timeIntervalSince(latest.at) > Self.quiet
        return ViewerVisit(latest: Sight(row: row, at: time), before: isNew ? latest : before)
    }

    func seeing(row: Int64) -> ViewerVisit { ViewerVisit(latest: Sight(row: row, at: latest.at), before: before) }

    /// Browsers can't have seen anything newer than exists.
    func isPossible(row: Int64, at time: Date) -> Bool {
        // A browser may send any numbers, so no range is built from them, which could trap.
        let isOrdered = before.map { $0.row >= 0 && $0.row <= latest.row && $0.at <= latest.at } ?? true
        return isOrdered && latest.row >= 0 && latest.row <= row && latest.at <= time.addingTimeInterval(Self.quiet)
    }
}

/// The newest history row that a page showed, for the browser to remember.
final class ShownRow: Sendable {
    private let newest = Mutex<Int64?>(nil)

    /// `nil` if the page showed no history.
    var row: Int64? { newest.withLock { $0 } }

    func show(_ row: Int64?) { newest.withLock { $0 = row ?? $0 } }
}

/// The browser's memory of a dashboard, with conclusions from it.
struct ViewerMemory: Hashable, Sendable {
    var isOfBrowser = false
    /// `nil` if the browser remembers none.
    var visit: ViewerVisit?
    var favourites = Favourites()
    /// Flags that outside edits have touched since the previous visit.
    var editedOutside: Set<FlagKeyPath> = []

    var ownChange: LastOwnChange?

    var lastVisit: ViewerVisit.Sight? { visit?.before }
}

/// A cookie for one viewer of one dashboard, hidden from scripts.
///
/// It grants nothing, so it is `Lax`: otherwise a visit by a link from another site would count as the first one.
///
/// Its name depends on the port and the values file, because browsers send one server's cookies to every other port of
/// the machine, and containers on several ports often serve the same path.
struct ViewerCookie {
    /// A year, in seconds.
    private static let age = 31_536_000

    let name: String
    private let attributes: String

    /// - Parameter tag: Identifies the dashboard: ``tag(of:at:_:)``.
    init(_ subject: String, tag: String, scheme: Dashboard.Scheme, below mount: MountPath) {
        name = "flagboard-\(subject)-\(tag)"
        attributes =
            "; Path=\(mount.address(of: PageLink.flags)); HttpOnly; SameSite=Lax; Max-Age=\(Self.age)"
            + (scheme == .https ? "; Secure" : "")
    }

    /// Eight hexadecimal digits.
    static func tag(of values: URL, at authority: String?, _ scheme: Dashboard.Scheme) -> String {
        let path = values.standardizedFileURL.path(percentEncoded: false)
        let port = SessionCookie.port(of: authority, scheme)
        return ContentHash.sha256(Data("\(port) \(path)".utf8)).prefix(4).hexadecimal
    }

    func value(in request: Request) -> String? { request.cookies(named: name, upTo: 1).first }

    func setting(_ text: String) -> String { "\(name)=\(text)\(attributes)" }
}

extension Dashboard {
    func viewerCookie(_ subject: String, of request: Request) -> ViewerCookie {
        let tag = ViewerCookie.tag(of: firstFiles.values, at: request.head.authority, scheme)
        return ViewerCookie(subject, tag: tag, scheme: cookieAddress(of: request).scheme, below: mount)
    }
}

struct LastOwnChange: Hashable, Sendable {
    let record: HistoryRecord
    let count: Int
}
