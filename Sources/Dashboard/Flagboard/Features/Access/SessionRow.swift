import FlagChanges
import Foundation

/// One session.
struct SessionRow: Hashable, PagePart {
    let number: Int
    let name: String
    let role: String
    /// How the person signed in.
    let way: String
    let since: TimeText
    /// When the last request came, in words.
    let lastSeen: AgoText
    let address: String
    /// Whether it is the session of the person who looks at the page.
    let isOwn: Bool

    init(_ session: Session, _ person: Dashboard.Person, visitor: Visitor?, now: Date) {
        number = session.number
        name = person.name
        role = person.role.rawValue
        way =
            switch session.grant {
            case .launch: "by the sign-in link"
            case .token: "by a token"
            }
        since = TimeText(session.started)
        lastSeen = AgoText(session.lastSeen, now: now)
        address = session.address
        isOwn = visitor?.proof == .session(session.number)
    }
}
