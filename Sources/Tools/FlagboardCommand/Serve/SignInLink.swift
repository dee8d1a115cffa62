import Flagboard
import Foundation
import Synchronization

/// The sign-in link, printed by the server alone, on its standard output, each time that it makes one.
final class SignInLink: Sendable {
    private let printsJSON: Bool
    private let address = Mutex("")

    init(printsJSON: Bool) {
        self.printsJSON = printsJSON
    }

    /// The link that holds a token, once it is known where the server listens.
    func first(_ token: String, at address: String) -> String {
        self.address.withLock { $0 = address }
        return link(token)
    }

    /// Prints the link that takes the place of the one before.
    func announce(_ token: String) throws {
        try CommandOutput.print(printsJSON ? "{\"signIn\":\"\(link(token))\"}" : Self.line(link(token)))
    }

    static func line(_ link: String) -> String { "Sign in: \(link)" }

    private func link(_ token: String) -> String {
        address.withLock { LaunchToken.link(token, at: $0) }
    }
}
