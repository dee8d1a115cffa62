import FlagChanges

/// Whom a dashboard lets in, and as whom.
public enum AccessPolicy: Sendable {
    /// Everybody who reaches it, as one person; only for where just that person does.
    case open(as: Dashboard.Person)
    /// Those who hold a token.
    case signIn(AccessControl)
}

extension Dashboard {
    /// A person or a program that uses a dashboard.
    public struct Person: Hashable, Sendable {
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
}
