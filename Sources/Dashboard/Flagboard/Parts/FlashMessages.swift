/// Sentences for the page that comes next, whichever that is, each told once.
final class FlashMessages: Sendable {
    /// The item of a query that asks for one.
    static let query = "noted"

    private let waiting = FlashItems<String>()

    /// Keeps a sentence.
    func add(_ text: String, to href: String) -> String {
        PageLink.adding(Self.query, waiting.add(text), to: href)
    }

    /// The sentence, which is given once.
    ///
    /// - Returns: `nil` where there is none.
    func take(_ token: String) -> String? { waiting.take(token) }
}
