import FeatureFlags
import Foundation

/// A source on another machine, whose flags are kept in a provider's file.
package struct FollowedSource: Sendable {
    package let provider: String
    /// The server that also defines the flags, as it was named; `nil` if the manifest does.
    package let definingServer: String?
    package let status: @Sendable () -> SourceStatus

    package init(provider: String, definingServer: String? = nil, status: @escaping @Sendable () -> SourceStatus) {
        (self.provider, self.definingServer, self.status) = (provider, definingServer, status)
    }
}

/// The freshness of a followed source's flags.
package struct SourceStatus: Hashable, Sendable {
    /// The source, such as `https://flags.example.com/`.
    package let source: String
    /// The time of the source's last confirmation, by this machine's clock.
    package var confirmed: Date?
    /// The reason why the source can't be followed now.
    package var problem: ServiceProblem?
    /// True if its answers hold no valid flags: the file's values are only its last good ones.
    ///
    /// False if it can't be reached, since it may hold the same flags as before.
    package var isBroken = false
    /// The problems of single flags, whose values in the file are only the last good ones.
    package var broken: [FlagKeyPath: FlagValueError] = [:]

    package init(source: String, confirmed: Date? = nil, problem: ServiceProblem? = nil, isBroken: Bool = false) {
        (self.source, self.confirmed, self.problem, self.isBroken) = (source, confirmed, problem, isBroken)
    }
}

/// A problem of a service beside the pages, such as an unreachable server.
package struct ServiceProblem: Hashable, Sendable {
    /// The problem as a sentence without its full stop, with a remedy if one helps.
    package let text: String
    /// The start of the problem, in UTC.
    package let since: Date

    package init(text: String, since: Date) { (self.text, self.since) = (text, since) }
}
