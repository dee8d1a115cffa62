import Hummingbird

/// Refuses unknown senders unless the address is public.
///
/// A token in the request's head takes precedence over a cookie.
struct SignInCheck: DashboardMiddleware {
    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var context = context
        guard !isForEverybody(request.uri.path) else { return try await next(request, context) }
        switch dashboard.access {
        case .signIn(let control): context.visitor = try visitor(of: request, context, control)
        case .app:
            guard let person = try await context.askApp() else { throw RequestError.notLetInByApp }
            context.visitor = Visitor(person: person, proof: .app)
        case .open(let person, let control), .ownSocket(let person, let control):
            context.visitor = try bearer(of: request, context, control) ?? Visitor(person: person, proof: .open)
        }
        // Only an admitted sender uses up the message.
        context.note = request.uri.queryParameters[Substring(FlashMessages.query)].flatMap {
            dashboard.notes.take(String($0))
        }
        return try await next(request, context)
    }

    private func isForEverybody(_ path: String) -> Bool {
        Route.isForEverybody(path) || (dashboard.metrics.isForEverybody && path == Route.metrics.path)
    }

    private func visitor(
        of request: Request, _ context: DashboardContext, _ control: AccessControl
    ) throws(SignInError) -> Visitor {
        if let bearer = try bearer(of: request, context, control) { return bearer }
        // Streams and automatic reloads go on without a person, so they are no use of the session.
        let isUnattended = Route.reached(by: request.uri.path) == .events || request.headers[.unattended] != nil
        return try control.visitor(
            withSessions: dashboard.sessions(of: request), isUse: !isUnattended, at: dashboard.clock())
    }

    /// Returns the sender of a token or ticket; `nil` without one, or without known tokens.
    private func bearer(
        of request: Request, _ context: DashboardContext, _ control: AccessControl?
    ) throws(SignInError) -> Visitor? {
        guard let control else { return nil }
        if let secret = BearerToken.find(in: request) {
            return try control.visitor(bearing: secret, from: context.address, at: dashboard.clock())
        }
        guard Route.reached(by: request.uri.path) == .evaluationEvents,
            let ticket = request.uri.queryParameters[Substring(StreamTicket.field)]
        else { return nil }
        return try control.visitor(
            holding: StreamTicket(text: String(ticket)), from: context.address, at: dashboard.clock())
    }
}
