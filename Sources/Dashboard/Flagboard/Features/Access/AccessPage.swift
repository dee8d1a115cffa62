/// Who is let in: the named tokens and the sessions, for admins.
struct AccessPage: PageModel {
    static let template = "access"

    let frame: PageFrame
    /// Whether there is no sign-in.
    let isOpen: Bool
    /// What has just been done.
    let notice: String?
    /// The token that has just been made, which is not shown again.
    let created: CreatedToken?
    /// Why the tokens can't be shown.
    let tokensProblem: String?
    let tokens: [TokenRow]
    let form: TokenForm
    let sessions: [SessionRow]
    /// What ending every session does.
    let endingNote: String

    /// Makes the page of a dashboard that people sign in to.
    init(
        frame: PageFrame, tokens: [TokenRow], tokensProblem: String? = nil, sessions: [SessionRow], hasLink: Bool,
        form: TokenForm = TokenForm(), notice: String? = nil, created: CreatedToken? = nil
    ) {
        self.frame = frame.titled(form.problem == nil ? "Access" : "No token made: Access", in: .access)
        isOpen = false
        self.notice = notice
        self.created = created
        self.tokensProblem = tokensProblem
        self.tokens = tokens
        self.form = form
        self.sessions = sessions
        endingNote =
            "Ends every session, also yours"
            + (hasLink ? ", and makes a new sign-in link, which is printed where Flagboard runs." : ".")
            + " Tokens stay valid until they are revoked."
    }

    /// Makes the page of a dashboard that is open to everybody.
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

/// A token that has just been made.
struct CreatedToken: Hashable, PagePart {
    let name: String
    let secret: String
}

extension AccessPage {
}
