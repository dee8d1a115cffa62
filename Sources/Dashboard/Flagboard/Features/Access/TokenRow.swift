import FlagChanges
import Foundation

/// One named token.
struct TokenRow: Hashable, PagePart {
    let name: String
    let role: String
    let created: TimeText
    /// When it ends, or that it does not.
    let expires: String
    let isExpired: Bool
    /// When it was last used, in words.
    let lastUse: AgoText?
    /// Whether it lets in the person who looks at the page.
    let isOwn: Bool
    /// What revoking it does.
    let revocationNote: String

    init(_ token: NamedToken, lastUse: Date?, isOwn: Bool, now: Date) {
        name = token.name
        role = token.role.rawValue
        created = TimeText(token.created)
        expires = token.expires.map { TimeText($0).text } ?? "never"
        isExpired = token.isExpired(at: now)
        self.lastUse = lastUse.map { AgoText($0, now: now) }
        self.isOwn = isOwn
        revocationNote =
            "It lets nobody in any more, and its sessions end. This can’t be undone."
            + (isOwn ? " It is the token that you signed in with: you will be signed out." : "")
    }
}
