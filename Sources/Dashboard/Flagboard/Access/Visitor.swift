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

    let person: Dashboard.Person
    let proof: Proof

    /// Whether a visitor may do what admins may.
    var isAdmin: Bool { person.role == .admin }
}
