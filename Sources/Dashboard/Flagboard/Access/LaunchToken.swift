import FlagHistory
import Foundation
import Synchronization

/// The token of the link that is printed at the start: those who see the server's output are let in as one person.
///
/// Only its digest is kept.
public final class LaunchToken: Sendable {
    let person: DashboardPerson
    private let digest = Mutex<SecretDigest?>(nil)
    private let announce: @Sendable (String) -> Void

    /// Makes the token's place; it lets no person in before ``issue()``.
    ///
    /// - Parameters:
    ///   - person: Who it lets in.
    ///   - announce: Tells the person a token that takes the place of the one before, where no other person sees it.
    public init(for person: DashboardPerson, announce: @escaping @Sendable (String) -> Void) {
        self.person = person
        self.announce = announce
    }

    /// Makes a new token, after which the one before is void.
    ///
    /// - Returns: The token: 256 random bits in base64url.
    public func issue() -> String {
        let secret = AccessSecret.random()
        digest.withLock { $0 = SecretDigest(of: secret) }
        return secret
    }

    /// Makes the token void, and tells the person a new one.
    func replace() {
        announce(issue())
    }

    /// The digest of the token that is in force, where a secret of a hash is that token.
    func digest(of secret: SecretHash) -> SecretDigest? {
        digest.withLock { $0 }.flatMap { $0.matches(secret) ? $0 : nil }
    }

    /// Whether the token of this digest is in force.
    func isCurrent(_ other: SecretDigest) -> Bool {
        digest.withLock { $0 == other }
    }
}
