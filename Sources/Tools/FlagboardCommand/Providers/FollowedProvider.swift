import FlagChanges
import Foundation

/// A kind of source for `serve --provider NAME=SOURCE` that isn't a file.
///
/// Its flags are kept in a file of this machine, which is served like any other. ``followedProviders`` lists the kinds.
protocol FollowedProvider: Sendable {
    /// Returns `true` if the source is of this kind.
    static func matches(_ source: String) -> Bool
    /// Why these flags can't be another environment, and what to do; `nil` if they can.
    static var environmentRefusal: String? { get }
    /// Returns the file that the flags are kept in.
    static func copy(of name: String, beside files: FlagFiles) -> URL
    /// Reads the settings of all providers of this kind.
    ///
    /// - Throws: `ValidationError` for an invalid setting, also if there is no such provider for it.
    static func all(_ options: ProviderOptions, in files: FlagFiles) throws -> [Self]

    /// The provider's name.
    var name: String { get }
    /// The server that defines the flags; `nil` if the manifest does.
    var definingServer: String? { get }
    var cautions: [String] { get }

    func follower(_ log: @escaping @Sendable (String) -> Void) throws -> any FlagFollower
}

/// Keeps the file of a followed provider up to date.
protocol FlagFollower: Sendable {
    var status: ReplicaStatus { get }
    /// Gets the flags, or accepts the file if that fails.
    func start() async throws
    /// Follows the source until the task is cancelled.
    func run() async
}

/// The kinds of sources that aren't files.
let followedProviders: [any FollowedProvider.Type] = [ReplicaSettings.self]
