import FlagChanges
import Hummingbird

extension Dashboard {
    func accessPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard case .signIn(let control) = access else {
            return try respond(AccessPage(open: try await frame(context)))
        }
        let notice = AccessNotice(rawValue: try FormFields(request.uri.query ?? "")["done"] ?? "")
        return try respond(try await page(control, context, notice: notice))
    }

    func makeToken(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let control = try administration()
        let wish = try await TokenRequest(request)
        let created: CreatedToken
        do throws(KeptFileError) {
            created = try await wish.fulfil(in: control.tokensFile, at: clock(), reached: sharedAddress(for: request))
        } catch {
            let page = try await page(control, context, form: wish.form(error))
            return try respond(page, status: error.isRequestAtFault ? .unprocessableContent : .serviceUnavailable)
        }
        return try respond(try await page(control, context, created: created))
    }

    func revokeToken(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let control = try administration()
        let fields = try await fields(of: request)
        do throws(KeptFileError) {
            try await control.revokeToken(fields["name"] ?? "")
        } catch {
            throw RequestError(
                error.isRequestAtFault ? .notFound : .serviceUnavailable, title: "Couldn’t revoke token",
                message: error.description, remedy: "Go back to the tokens.",
                link: TextLink(label: "Access", href: PageLink.access))
        }
        endStrangersStreams()
        return redirect(to: AccessNotice.token.href)
    }

    func endSessions(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let control = try administration()
        let fields = try await fields(of: request)
        defer { endStrangersStreams() }
        if fields["session"] == "all" {
            control.endAllSessions()
            return redirect(to: AccessNotice.sessions.href)
        }
        guard let number = fields["session"].flatMap({ Int($0) }), control.endSession(number) else {
            throw RequestError(
                .notFound, title: "Session not found", message: "This session has already ended.",
                remedy: "Go back to the sessions.", link: TextLink(label: "Access", href: PageLink.access))
        }
        return redirect(to: AccessNotice.session.href)
    }

    private func page(
        _ control: AccessControl, _ context: DashboardContext, form: TokenForm = TokenForm(),
        notice: AccessNotice? = nil, created: CreatedToken? = nil
    ) async throws -> AccessPage {
        let now = clock()
        let frame = try await frame(context)
        let sessions = control.sessions(at: now).map {
            SessionRow($0.session, $0.person, visitor: context.visitor, now: now)
        }
        var rows: [TokenRow] = []
        var problem: String?
        do throws(KeptFileError) {
            let own = context.visitor.flatMap { control.tokenName(of: $0, at: now) }
            rows = try control.tokens().map {
                TokenRow(
                    $0.token, lastUse: $0.lastUse, since: control.started, isOwn: $0.token.name == own, now: now)
            }
        } catch {
            problem = error.description
        }
        return AccessPage(
            frame: frame, tokens: rows, tokensProblem: problem, sessions: sessions, hasLink: control.launch != nil,
            form: form, notice: notice?.text, created: created)
    }

    private func administration() throws -> AccessControl {
        guard case .signIn(let control) = access else {
            throw RequestError(
                .conflict, title: "No sign-in",
                message: "Access is open, so there are no tokens or sessions.",
                remedy: "Start Flagboard without --access open to require sign-in.")
        }
        return control
    }

    private func fields(of request: Request) async throws -> FormFields {
        let body = try await request.body.collect(upTo: FormFields.maximumBytes)
        return try FormFields(bytes: body.readableBytesView)
    }
}

enum AccessNotice: String {
    case token, session, sessions

    var href: String { PageLink.adding("done", rawValue, to: PageLink.access) }

    var text: String {
        switch self {
        case .token: "Token revoked. Its sessions have ended."
        case .session: "Session ended."
        case .sessions: "All sessions have ended."
        }
    }
}
