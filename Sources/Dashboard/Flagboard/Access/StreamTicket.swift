import FlagHistory

/// Opens the stream of evaluations, and nothing else, for the holder of a token.
///
/// A page's `EventSource` can't send a token. The ticket stands in the address of the stream, which logs may have, so
/// the token can't be worked out from it. It is valid as long as its token.
struct StreamTicket {
    /// The field of the address.
    static let field = "ticket"
    private static let purpose = "evaluation events"

    let text: String

    /// `nil` unless the request itself has a token.
    init?(_ visitor: Visitor) {
        guard case .bearer(let grant) = visitor.proof else { return nil }
        text = TextAuthenticator(keyedBy: grant.digest).code(of: Self.purpose)
    }

    init(text: String) {
        self.text = text
    }

    /// Compares in constant time.
    func isOf(_ grant: Session.Grant) -> Bool {
        TextAuthenticator(keyedBy: grant.digest).isCode(text, of: Self.purpose)
    }
}
