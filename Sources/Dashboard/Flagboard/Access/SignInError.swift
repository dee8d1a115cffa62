/// Why a person is not let in.
enum SignInError: Error, Hashable, Sendable {
    /// Nothing proves who sends the request.
    case missing
    /// The session is over, or was never.
    case ended
    /// The token is none, or none any more.
    case wrongToken
    /// The token of a link is none, or none any more.
    case wrongLink
    /// Too many tokens were wrong; seconds to wait.
    case tooMany(retryAfter: Int)
    /// The tokens can't be read now.
    case unavailable
}
