import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// Whom a dashboard lets in, and as whom.
public enum AccessPolicy: Sendable {
    /// Everybody who reaches it, as one person, unless they hold a token of another; only for where just that person does.
    case open(as: DashboardPerson, tokens: AccessControl? = nil)
    /// Those who hold a token.
    case signIn(AccessControl)
    /// Those whom the app that the dashboard is embedded in lets in (``EmbeddedDashboard``).
    case app
    /// Those who reach a socket that only one person can, as that person, unless they hold a token of another.
    case ownSocket(as: DashboardPerson, tokens: AccessControl?)
}

extension AccessPolicy {
    /// The policy for a socket that only one person can reach.
    func atSocket(of person: DashboardPerson) -> AccessPolicy {
        switch self {
        case .app: .ownSocket(as: person, tokens: nil)
        case .signIn, .open, .ownSocket: .ownSocket(as: person, tokens: control)
        }
    }

    /// What knows the tokens that are taken; `nil` where none is.
    var control: AccessControl? {
        switch self {
        case .signIn(let control): control
        case .open(_, let control), .ownSocket(_, let control): control
        case .app: nil
        }
    }

    /// Which way a program comes in.
    var origin: HistoryRecord.Origin {
        if case .ownSocket = self { .cli } else { .api }
    }
}

/// Who sent a request, as far as that is proven.
struct Visitor: Hashable, Sendable {
    /// What the proof is.
    enum Proof: Hashable, Sendable {
        /// None is asked for.
        case open
        /// The cookie of the session with this number.
        case session(Int)
        /// The app that the dashboard is embedded in has said so.
        case app
        /// A token in the request itself.
        case bearer(Session.Grant)
    }

    let person: DashboardPerson
    let proof: Proof

    /// Whether a visitor may do what admins may.
    var isAdmin: Bool { person.role == .admin }
}

/// A person or a program that uses a dashboard.
public struct DashboardPerson: Hashable, Sendable {
    let name: String
    let role: ChangeAuthor.Role

    /// Names a person or a program.
    ///
    /// - Parameters:
    ///   - name: The name that the history keeps for changes made in the dashboard.
    ///   - role: What the person may do.
    public init(name: String, role: ChangeAuthor.Role) {
        self.name = name
        self.role = role
    }
}

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
