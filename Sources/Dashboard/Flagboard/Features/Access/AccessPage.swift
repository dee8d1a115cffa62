import FlagChanges
import Foundation

struct AccessPage: PageModel {
    static let template = "access"

    let frame: PageFrame
    let isOpen: Bool
    let notice: String?
    /// The token just created; its secret is shown only once.
    let created: CreatedToken?
    let tokensProblem: String?
    let tokens: [TokenRow]
    let form: TokenForm
    let sessions: [SessionRow]
    let endingNote: String

    init(
        frame: PageFrame, tokens: [TokenRow], tokensProblem: String? = nil, sessions: [SessionRow], hasLink: Bool,
        form: TokenForm = TokenForm(), notice: String? = nil, created: CreatedToken? = nil
    ) {
        self.frame = frame.titled(form.problem == nil ? "Access" : "Couldn’t create token: Access", in: .access)
        isOpen = false
        self.notice = notice
        self.created = created
        self.tokensProblem = tokensProblem
        self.tokens = tokens
        self.form = form
        self.sessions = sessions
        endingNote =
            "Ends all sessions, including yours."
            + (hasLink ? " A new sign-in link is printed in the terminal." : "") + " Tokens stay valid."
    }

    init(open frame: PageFrame) {
        self.frame = frame.titled("Access", in: .access)
        isOpen = true
        notice = nil
        created = nil
        tokensProblem = nil
        tokens = []
        form = TokenForm()
        sessions = []
        endingNote = ""
    }
}

struct CreatedToken: Hashable, PagePart {
    let name: String
    let secret: String
    /// The address that leads to signing in with the token.
    let link: String
    let linkNote: String

    init(_ token: NamedToken, secret: String, at address: CurlLine.Address) {
        name = token.name
        self.secret = secret
        link = address.base + SignInRequest.linkStart + secret
        let article = token.role.rawValue.first.map("aeiou".contains) == true ? "an" : "a"
        linkNote =
            (address.isLoopback
                ? "\(token.name) can use this link on this machine only." : "Send this link to \(token.name).")
            + " Opening it and selecting “Sign in as \(token.name)” signs them in as \(article) \(token.role.rawValue). "
            + "Like the token, keep it secret: anyone who has the link can sign in."
    }
}

struct SessionRow: Hashable, PagePart {
    let number: Int
    let name: String
    let role: String
    let way: String
    let since: TimeText
    let lastSeen: AgoText
    let address: String
    let isOwn: Bool

    init(_ session: Session, _ person: Dashboard.Person, visitor: Visitor?, now: Date) {
        number = session.number
        name = person.name
        role = person.role.rawValue
        way =
            switch session.grant {
            case .launch: "with the sign-in link"
            case .token: "with a token"
            }
        since = TimeText(session.started)
        lastSeen = AgoText(session.lastSeen, now: now)
        address = session.address
        isOwn = visitor?.proof == .session(session.number)
    }
}

struct TokenRow: Hashable, PagePart {
    let name: String
    let role: String
    let created: TimeText
    let expires: String
    let isExpired: Bool
    let lastUse: AgoText?
    /// Said without a last use.
    let unused: String
    /// `true` for the token that the viewer signed in with.
    let isOwn: Bool
    let revocationNote: String

    /// Uses before `started` are unknown.
    init(_ token: NamedToken, lastUse: Date?, since started: Date, isOwn: Bool, now: Date) {
        name = token.name
        role = token.role.rawValue
        created = TimeText(token.created)
        expires = token.expires.map { TimeText($0).text } ?? "never"
        isExpired = token.isExpired(at: now)
        self.lastUse = lastUse.map { AgoText($0, now: now) }
        unused = token.created < started ? "Not used since the restart" : "Not used yet"
        self.isOwn = isOwn
        revocationNote =
            "Sessions using this token will end. This can’t be undone."
            + (isOwn ? " You signed in with this token, so you will be signed out." : "")
    }
}
