import HTTPTypes

extension HTTPField.Name {
    /// Which sort of page sent a request, as the browser tells it.
    static let secFetchSite = named("Sec-Fetch-Site")
    /// A host beyond the one that the request's authority was taken from.
    static let host = named("Host")
    /// What a program calls its request, so that a repetition is recognised.
    static let idempotencyKey = named("Idempotency-Key")

    /// - Precondition: `name` is a token (RFC 9110).
    static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
