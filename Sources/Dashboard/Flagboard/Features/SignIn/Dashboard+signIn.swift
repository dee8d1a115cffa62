import Hummingbird

extension Dashboard {
    /// The page to sign in with; where the address holds the token of the sign-in link, the way in.
    func signInPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard case .signIn(let control) = access else { return redirect(to: PageLink.flags) }
        let query = try FormFields(request.uri.query ?? "")
        let next = LocalPath.checked(query["next"])
        // To look at an address's head is no wish to sign in.
        guard let secret = query["token"], request.method == .get else {
            return try respond(
                SignInPage(
                    next: next, hasLink: control.launch != nil, banner: banner, settings: context.settings))
        }
        let form = SignInRequest(secret: secret, next: next)
        return try await enter(control, with: form, isLink: true, request, context)
    }

    func signIn(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard case .signIn(let control) = access else { return redirect(to: PageLink.flags) }
        let form = try await SignInRequest(request)
        return try await enter(control, with: form, isLink: false, request, context)
    }

    private func enter(
        _ control: AccessControl, with form: SignInRequest, isLink: Bool, _ request: Request,
        _ context: DashboardContext
    ) async throws -> Response {
        let cookie = SessionCookie(authority: request.head.authority, scheme: scheme(of: request), below: mount)
        let identifier: String
        do throws(SignInError) {
            identifier = try control.signIn(
                with: form.secret, isLink: isLink, from: context.address, replacing: cookie.identifiers(in: request),
                at: clock())
        } catch {
            return try await answer(to: error, request, after: form)
        }
        // Where another site led here, the browser would not send the new cookie with a redirect, but does so with what
        // this page asks for.
        let isLedHere = request.headers[.secFetchSite]?.hasSuffix("-site") == true
        var response =
            if let unsent = form.unsent {
                try respond(ResumableFormPage(unsent, banner: banner, settings: context.settings))
            } else {
                isLedHere ? try respond(ArrivalPage(href: form.next, below: mount)) : redirect(to: form.next)
            }
        response.headers[.setCookie] = cookie.setting(identifier)
        return response
    }

    func signOut(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard case .signIn(let control) = access else { return redirect(to: PageLink.flags) }
        _ = try await request.body.collect(upTo: FormFields.maximumBytes)
        let cookie = SessionCookie(authority: request.head.authority, scheme: scheme(of: request), below: mount)
        control.signOut(cookie.identifiers(in: request))
        endStrangersStreams()
        var response = redirect(to: PageLink.signIn)
        response.headers[.setCookie] = cookie.removing
        return response
    }

    /// Sends a browser to another page by a GET.
    func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }
}
