import FeatureFlags
import Foundation

/// Where a remote provider's values come from at a moment, how fresh they are, and what is wrong.
///
/// ```swift
/// let status = await remote.setUp(timeout: .seconds(2))
/// if status.origin == .nothing { print("The flags have their defaults: \(status)") }
/// ```
public struct RemoteStatus: Hashable, Sendable {
    /// Where values are from.
    ///
    /// ```swift
    /// if remote.status.origin == .cache { print("The server has not answered since the app started.") }
    /// ```
    public enum Origin: Hashable, Sendable {
        /// There are none yet.
        case nothing
        /// A file of an earlier run of the app, which the server has not confirmed yet.
        case cache
        /// The server.
        case server
    }

    /// Where the values are from.
    public internal(set) var origin = Origin.nothing
    /// When the values were got, by the clock of this machine; `nil` where there are none.
    public internal(set) var valuesTime: Date?
    /// When the server last said that these are its values; `nil` where it has not yet.
    public internal(set) var confirmedTime: Date?
    /// Whether a stream of events is open, so that the server is asked as soon as something has changed.
    public internal(set) var isStreaming = false
    /// What is wrong now; none where all is well.
    public internal(set) var problems: [RemoteError] = []
    /// Since when something is wrong; `nil` where nothing is.
    public internal(set) var problemTime: Date?
}

extension RemoteStatus: CustomStringConvertible {
    /// Where the values are from and since when, and what is wrong, as a clause.
    public var description: String {
        let source =
            switch origin {
            case .nothing: "nothing was got yet"
            case .cache: "from the cache of \(Self.text(valuesTime))"
            case .server:
                "from the server, as of \(Self.text(confirmedTime))"
                    + (isStreaming ? ", and told of changes since" : "")
            }
        guard !problems.isEmpty else { return source }
        let since = problemTime.map { ", since \(Self.text($0))" } ?? ""
        return ([source] + problems.map(\.description)).joined(separator: "; ") + since
    }

    private static func text(_ time: Date?) -> String {
        guard let time else { return "an unknown time" }
        return time.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt).dateSeparator(.dash))
            .replacingOccurrences(of: "Z", with: " UTC")
    }
}
