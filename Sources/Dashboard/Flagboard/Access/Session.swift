import FlagHistory
import Foundation

/// A time during which a browser is let in by its cookie.
struct Session: Hashable, Sendable {
    /// By what the person is let in.
    enum Grant: Hashable, Sendable {
        /// The token of the sign-in link.
        case launch(SecretDigest)
        /// A named token.
        case token(name: String, digest: SecretDigest)
    }

    /// What the pages call it by, which is no secret.
    let number: Int
    let grant: Grant
    let started: Date
    var lastSeen: Date
    /// Where it was begun from.
    let address: String

    /// How long it lasts without a request, and at most.
    static let idle: TimeInterval = 8 * 3600, longest: TimeInterval = 24 * 3600

    func isOver(at now: Date) -> Bool {
        now.timeIntervalSince(lastSeen) >= Self.idle || now.timeIntervalSince(started) >= Self.longest
    }
}
