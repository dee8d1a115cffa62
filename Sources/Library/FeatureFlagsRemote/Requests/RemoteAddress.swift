import Foundation

package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    let url: URL
    /// The scheme, host and port, which a redirection may not leave.
    package let origin: String

    package init(_ text: String) throws(RemoteError) {
        let shown = Self.shown(text)
        guard let url = URL(string: text), let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .address(shown, "invalid address; use https://HOST/PATH")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .address(shown, "an address can't contain a user name or password; use a token instead")
        }
        let scheme = (parts.scheme ?? "").lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw .address(shown, "only http:// and https:// are supported")
        }
        guard let host = parts.host, !host.isEmpty else { throw .address(shown, "it has no host") }
        guard parts.fragment == nil else { throw .address(shown, "the part after # is never sent; remove it") }
        if let port = parts.port, !(1...65535).contains(port) {
            throw .address(shown, "the port must be between 1 and 65535")
        }
        self.url = url
        origin = "\(scheme)://\(host.lowercased()):\(parts.port ?? (scheme == "https" ? 443 : 80))"
    }

    package func resolving(_ reference: String) throws(RemoteError) -> RemoteAddress {
        guard let url = URL(string: reference, relativeTo: url) else {
            throw .address(Self.shown(reference), "invalid address; use https://HOST/PATH")
        }
        return try RemoteAddress(url.absoluteString)
    }

    /// Cuts off what may be secret and would get into logs: a name, a password, a query.
    private static func shown(_ text: String) -> String {
        text.contains("@") ? "…" : withoutQuery(text)
    }

    private static func withoutQuery(_ text: String) -> String { String(text.prefix { $0 != "?" }) }

    /// The address without its query, which may hold secrets.
    package var description: String { Self.withoutQuery(url.absoluteString) }
}

/// The delay before the next attempt after failures.
///
/// It grows with each failure and is random, so that a server's readers don't all return at once.
///
/// ```swift
/// var backoff = Backoff()
/// let wait = backoff.next()  // between 0.5 and 1 s; then 1 to 2, 2 to 4 …, at most 60
/// ```
public struct Backoff: Hashable, Sendable {
    /// The longest delay after the first failure.
    public let first: Duration
    /// The longest delay, unless a server asks for a longer one.
    public let limit: Duration
    /// The number of failures since the last success.
    public private(set) var failures = 0

    static let longestAskedFor = Duration.seconds(3600)

    /// Creates delays without a failure.
    ///
    /// - Parameters:
    ///   - first: The longest delay after the first failure; it doubles with each further one.
    ///   - limit: The longest delay.
    public init(first: Duration = .seconds(1), limit: Duration = .seconds(60)) {
        (self.first, self.limit) = (first, max(first, limit))
    }

    /// Counts a failure, and returns the delay.
    ///
    /// - Parameter askedFor: The server's `Retry-After`, granted up to an hour.
    /// - Returns: A random delay between half of the longest one and all of it.
    public mutating func next(askedFor: Duration? = nil) -> Duration {
        let doublings = min(failures, 20)
        failures += 1
        let longest = min(first * (1 << doublings), limit)
        let wait = longest / 2 + longest / 2 * Double.random(in: 0...1)
        return max(wait, min(askedFor ?? .zero, Self.longestAskedFor))
    }

    /// Resets the delay after a success.
    public mutating func reset() { failures = 0 }
}

extension Backoff {
    /// Parses a `Retry-After` field in seconds or as a date (RFC 9110, 10.2.3).
    static func askedFor(_ field: String, at now: Date) -> Duration? {
        let text = field.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
        return date(text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }

    static func date(_ text: String) -> Date? {
        let dates = DateFormatter()
        dates.locale = Locale(identifier: "en_US_POSIX")
        dates.timeZone = .gmt
        dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return dates.date(from: text)
    }
}
