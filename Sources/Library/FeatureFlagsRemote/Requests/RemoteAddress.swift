import Foundation

/// An address that values are asked for at: `http` or `https`, and without a name or password in it.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// The whole address.
    let url: URL
    /// Scheme, host and port: what a redirection may not leave.
    package let origin: String

    /// Checks an address.
    package init(_ text: String) throws(RemoteError) {
        let shown = Self.shown(text)
        guard let url = URL(string: text), let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .address(shown, "it is no address; write https://HOST/PATH")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .address(shown, "an address holds no name and no password; give a token instead")
        }
        let scheme = (parts.scheme ?? "").lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw .address(shown, "only http:// and https:// are asked")
        }
        guard let host = parts.host, !host.isEmpty else { throw .address(shown, "it names no host") }
        guard parts.fragment == nil else { throw .address(shown, "what follows # is never sent; leave it out") }
        if let port = parts.port, !(1...65535).contains(port) {
            throw .address(shown, "a port is a number from 1 to 65535")
        }
        self.url = url
        origin = "\(scheme)://\(host.lowercased()):\(parts.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// The address that a reference in an answer means.
    package func resolving(_ reference: String) throws(RemoteError) -> RemoteAddress {
        guard let url = URL(string: reference, relativeTo: url) else {
            throw .address(Self.shown(reference), "it is no address; write https://HOST/PATH")
        }
        return try RemoteAddress(url.absoluteString)
    }

    /// An address as errors tell it: without a name or a password, which they would put into logs.
    private static func shown(_ text: String) -> String { text.lastIndex(of: "@").map { "…\(text[$0...])" } ?? text }

    /// The address without its query, which may hold what no log should.
    package var description: String {
        let text = url.absoluteString
        return text.firstIndex(of: "?").map { String(text[..<$0]) } ?? text
    }
}

/// How long to wait before something that failed is tried again: longer each time, and never twice the same, so that many readers
/// of one server don't come back to it at once.
///
/// ```swift
/// var backoff = Backoff()
/// let wait = backoff.next()  // between 0.5 and 1 s; then 1 to 2, 2 to 4 …, at most 60
/// ```
public struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure.
    public let first: Duration
    /// The longest wait of all, but where a server asks for a longer one.
    public let limit: Duration
    /// How often it has failed since it last went well.
    public private(set) var failures = 0

    /// The longest wait that is granted to a server that asks for one.
    static let longestAskedFor = Duration.seconds(3600)

    /// Describes waits.
    ///
    /// - Parameters:
    ///   - first: The longest wait after the first failure; it doubles with each one more.
    ///   - limit: The longest wait of all.
    public init(first: Duration = .seconds(1), limit: Duration = .seconds(60)) {
        (self.first, self.limit) = (first, max(first, limit))
    }

    /// Counts a failure.
    ///
    /// - Parameter askedFor: How long the server asks to be left alone (`Retry-After`); it is waited for, an hour at most.
    /// - Returns: How long to wait: between half of the longest wait and all of it.
    public mutating func next(askedFor: Duration? = nil) -> Duration {
        let doublings = min(failures, 20)
        failures += 1
        let longest = min(first * (1 << doublings), limit)
        let wait = longest / 2 + longest / 2 * Double.random(in: 0...1)
        return max(wait, min(askedFor ?? .zero, Self.longestAskedFor))
    }

    /// Counts a success: the next wait is a first one again.
    public mutating func reset() { failures = 0 }
}

extension Backoff {
    /// How long a server asks to be left alone (RFC 9110, 10.2.3).
    ///
    /// - Parameters:
    ///   - field: The content of `Retry-After`: seconds, or a date.
    ///   - now: The time.
    /// - Returns: The time to wait; `nil` where the field says neither.
    static func askedFor(_ field: String, at now: Date) -> Duration? {
        let text = field.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
        return date(text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }

    /// A date as headers have it (RFC 9110, 5.6.7).
    ///
    /// - Parameter text: The date.
    /// - Returns: `nil` where it is none.
    static func date(_ text: String) -> Date? {
        let dates = DateFormatter()
        dates.locale = Locale(identifier: "en_US_POSIX")
        dates.timeZone = .gmt
        dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return dates.date(from: text)
    }
}
