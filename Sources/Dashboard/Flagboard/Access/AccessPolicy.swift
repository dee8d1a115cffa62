import FlagChanges
import FlagHistory

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
