import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

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
        let tag = ViewerCookie.tag(of: firstValues, at: request.head.authority, scheme)
        return ViewerCookie(subject, tag: tag, scheme: scheme(of: request), below: mount)
    }
}
