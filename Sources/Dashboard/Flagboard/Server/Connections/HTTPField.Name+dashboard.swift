import HTTPTypes

extension HTTPField.Name {
    /// Which sort of page sent a request, as the browser tells it.
    static let secFetchSite = named("Sec-Fetch-Site")
    /// A host beyond the one that the request's authority was taken from.
    static let host = named("Host")
    /// What a program calls its request, so that a repetition is recognised.
    static let idempotencyKey = named("Idempotency-Key")

    /// A token where `Authorization` has none.
    static let apiKey = named("X-API-Key")

    /// The last event that a listener has (HTML, 9.2.4).
    static let lastEventID = named("Last-Event-ID")
    /// Which sort of answer a script would like (RFC 7240).
    static let prefer = named("Prefer")
    /// That a page asks by itself, perhaps without a person: no use of a session.
    static let unattended = named("Flagboard-Unattended")
    /// Which sources are broken that an export's values would be from, and why: a JSON object.
    static let brokenSources = named("Flagboard-Broken-Sources")

    /// - Precondition: `name` is a token (RFC 9110).
    static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
