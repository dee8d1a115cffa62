extension Feature {
    static let signIn = Feature(
        routes: [.signIn, .signOut])
}

extension Route {
    static let signIn = Route(
        "sign-in", "/sign-in", get: Dashboard.signInPage, post: Dashboard.signIn, visitors: .everybody,
        mayShowSecrets: true)
    static let signOut = Route("sign-out", "/sign-out", post: Dashboard.signOut)
}
