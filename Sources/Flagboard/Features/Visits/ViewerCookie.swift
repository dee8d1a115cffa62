import FlagHistory
import Foundation
import Hummingbird

/// A cookie in which a browser keeps something for one viewer of one dashboard, out of the reach of scripts.
///
/// It grants nothing, and so goes also with a link that is followed from another site: a first visit would else begin there, and
/// take the place of what is kept.
///
/// Its name tells the values file apart, since a browser sends one server's cookies to every other port of the machine as well.
struct ViewerCookie {
    /// For how many seconds a browser keeps it: a year.
    private static let age = 31_536_000

    let name: String
    private let attributes: String

    /// - Parameters:
    ///   - subject: What is kept.
    ///   - tag: What tells the dashboard from others: ``tag(of:)``.
    ///   - scheme: How the browser reaches the dashboard.
    ///   - mount: The path below which the dashboard is served, which alone gets the cookie.
    init(_ subject: String, tag: String, scheme: Dashboard.Scheme, below mount: MountPath) {
        name = "flagboard-\(subject)-\(tag)"
        attributes =
            "; Path=\(mount.address(of: PageLink.flags)); HttpOnly; SameSite=Lax; Max-Age=\(Self.age)"
            + (scheme == .https ? "; Secure" : "")
    }

    /// What tells the dashboard of a values file from others, in eight letters and digits.
    static func tag(of values: URL) -> String {
        let path = Data(values.standardizedFileURL.path(percentEncoded: false).utf8)
        return ContentHash.sha256(path).prefix(4).hexadecimal
    }

    /// What a request holds; `nil` for nothing.
    func value(in request: Request) -> String? { request.cookies(named: name, upTo: 1).first }

    /// The header that has a browser keep a text of letters that a cookie may have.
    func setting(_ text: String) -> String { "\(name)=\(text)\(attributes)" }
}

extension Dashboard {
    /// A cookie in which a browser keeps something for its viewer.
    func viewerCookie(_ subject: String) -> ViewerCookie {
        ViewerCookie(subject, tag: viewerTag, scheme: scheme, below: mount)
    }
}
