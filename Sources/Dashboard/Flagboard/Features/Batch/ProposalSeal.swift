import FlagHistory

/// What tells changes that were worked out here from those that another put into a form: only of the former is it known
/// which way they came in.
struct ProposalSeal: Sendable {
    /// It has another key each time that the dashboard starts.
    private let authenticator = TextAuthenticator()

    /// The ways in which only the dashboard says that changes come in.
    private static let origins: [HistoryRecord.Origin] = [.import, .revert]

    /// What the page of changes holds beside them.
    func text(of changes: String, from origin: HistoryRecord.Origin, for person: String) -> String {
        authenticator.code(of: changes, person, origin.rawValue)
    }

    /// Which way the changes of a form came in.
    ///
    /// - Returns: The origin that they were sealed with, else `form`: all that is known then is that a form was sent.
    func origin(of changes: String, sentBy person: String, under seal: String) -> HistoryRecord.Origin {
        Self.origins.first { authenticator.isCode(seal, of: changes, person, $0.rawValue) } ?? .form
    }
}
