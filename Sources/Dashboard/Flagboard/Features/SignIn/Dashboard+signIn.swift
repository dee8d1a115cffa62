import Hummingbird

extension Dashboard {
    /// Shows the sign-in page, or signs in with the printed link.
    ///
    /// A link with a named token shows a button first, and so does any link that a proxy without `Host` may have passed
    /// on: a form has an `Origin`, which decides whether the cookie is for TLS only.
    func signInPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard case .signIn(let control) = access else { return redirect(to: PageLink.flags) }
        let query = try FormFields(request.uri.query ?? "")
        let next = LocalPath.checked(query["next"])
        // A HEAD request must not sign in.
        guard let secret = query["token"], request.method == .get else {
            return try respond(
                SignInPage(
                    next: next, hasLink: control.launch != nil, banner: banner, settings: context.settings))
        }
        let form = SignInRequest(secret: secret, next: next)
        let invited: Person?
        do throws(SignInError) {
            let isUndecided = isHiddenByProxy(BrowserAddress(of: request)) == nil
            invited = try control.invited(by: secret, withPrinted: isUndecided, at: clock())
        } catch {
            return try await answer(to: error, request, after: form)
        }
        if let invited {
            return try respond(
                SignInPage(invited: invited, secret: secret, next: next, banner: banner, settings: context.settings))
        }
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
        let cookie = sessionCookie(of: request)
        let identifier: String
        do throws(SignInError) {
            identifier = try control.signIn(
                with: form.secret, isLink: isLink, from: context.address, replacing: sessions(of: request),
                at: clock())
        } catch {
            return try await answer(to: error, request, after: form)
        }
        // After a cross-site navigation, browsers withhold a new SameSite cookie from the redirect, but send it with
        // the next navigation from our own page.
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
        let cookie = sessionCookie(of: request)
        control.signOut(sessions(of: request))
        endStrangersStreams()
        var response = redirect(to: PageLink.signIn)
        response.headers[.setCookie] = cookie.removing
        return response
    }

    func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }
}
