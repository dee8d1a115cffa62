import FlagChanges
import Foundation

/// One named token.
struct TokenRow: Hashable, Sendable {
    let name: String
    let role: String
    let created: TimeText
    /// When it ends, or that it does not.
    let expires: String
    let isExpired: Bool
    /// When it was last used, in words.
    let lastUse: String

    init(_ token: NamedToken, lastUse: Date?, now: Date) {
        name = token.name
        role = token.role.rawValue
        created = TimeText(token.created)
        expires = token.expires.map { TimeText($0).text } ?? "never"
        isExpired = token.isExpired(at: now)
        self.lastUse = lastUse.map { TimeText.ago($0, now: now) } ?? "not since Flagboard was started"
    }
}
