import FlagChanges

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
