extension Feature {
    static let access = Feature(
        routes: [.access, .tokens, .tokenRevocation, .sessionRevocation])
}

extension MenuItem {
    static let access = MenuItem("Access", .access) { $0.visitor?.isAdmin == true }
}

extension Route {
    static let access = Route(
        "access", "/access", get: Dashboard.accessPage, visitors: .adminsOfAccess, mayShowSecrets: true)
    static let tokens = Route(
        "tokens", "/access/tokens", post: Dashboard.makeToken, visitors: .adminsOfAccess, mayShowSecrets: true)
    static let tokenRevocation = Route(
        "token-revocation", "/access/tokens/revoke", post: Dashboard.revokeToken, visitors: .adminsOfAccess,
        mayShowSecrets: true)
    static let sessionRevocation = Route(
        "session-revocation", "/access/sessions/revoke", post: Dashboard.endSessions, visitors: .adminsOfAccess,
        mayShowSecrets: true)
}
