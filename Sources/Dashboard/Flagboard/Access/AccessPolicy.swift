import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// The people and programs that a dashboard admits.
public enum AccessPolicy: Sendable {
    /// Everyone who reaches it, as one person, or as the holder of their token.
    ///
    /// Only for a server that one person alone can reach.
    case open(as: DashboardPerson, tokens: AccessControl? = nil)
    /// Holders of a token.
    case signIn(AccessControl)
    /// People authenticated by the host app (``EmbeddedDashboard``).
    case app
    /// Everyone who reaches a socket private to one person, as that person, or as the holder of their token.
    case ownSocket(as: DashboardPerson, tokens: AccessControl?)
}

extension AccessPolicy {
    func atSocket(of person: DashboardPerson) -> AccessPolicy {
        switch self {
        case .app: .ownSocket(as: person, tokens: nil)
        case .signIn, .open, .ownSocket: .ownSocket(as: person, tokens: control)
        }
    }

    /// `nil` if no tokens are accepted.
    var control: AccessControl? {
        switch self {
        case .signIn(let control): control
        case .open(_, let control), .ownSocket(_, let control): control
        case .app: nil
        }
    }

    var origin: HistoryRecord.Origin {
        if case .ownSocket = self { .cli } else { .api }
    }
}

struct Visitor: Hashable, Sendable {
    enum Proof: Hashable, Sendable {
        case open
        /// The cookie of the session with this number.
        case session(Int)
        case app
        /// A token in the request itself.
        case bearer(Session.Grant)
    }

    let person: DashboardPerson
    let proof: Proof

    var isAdmin: Bool { person.role == .admin }
}

/// A person or a program that uses a dashboard.
public struct DashboardPerson: Hashable, Sendable {
    let name: String
    let role: ChangeAuthor.Role

    /// Creates a person.
    ///
    /// - Parameters:
    ///   - name: The name that the history records.
    ///   - role: The person's role.
    public init(name: String, role: ChangeAuthor.Role) {
        self.name = name
        self.role = role
    }
}

/// The token of the sign-in link that the server prints at its start.
///
/// Only its digest is kept.
public final class LaunchToken: Sendable {
    let person: DashboardPerson
    private let digest = Mutex<SecretDigest?>(nil)
    private let announce: @Sendable (String) -> Void

    /// Creates a token that admits no one before ``issue()``.
    ///
    /// - Parameters:
    ///   - person: The person it admits.
    ///   - announce: Shows a replacement token to that person, and to no one else.
    public init(for person: DashboardPerson, announce: @escaping @Sendable (String) -> Void) {
        self.person = person
        self.announce = announce
    }

    /// Replaces the token, which makes the previous one void.
    ///
    /// - Returns: The token: 256 random bits in base64url.
    public func issue() -> String {
        let secret = AccessSecret.random()
        digest.withLock { $0 = SecretDigest(of: secret) }
        return secret
    }

    func replace() {
        announce(issue())
    }

    func digest(of secret: SecretHash) -> SecretDigest? { current.flatMap { $0.matches(secret) ? $0 : nil } }

    func isCurrent(_ other: SecretDigest) -> Bool { current == other }

    var current: SecretDigest? { digest.withLock { $0 } }
}
