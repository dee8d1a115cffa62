import Foundation
import Hummingbird

/// What the form of the sign-in page sends.
struct SignInRequest: Sendable {
    /// The token.
    let secret: String
    /// Where to go then, within the dashboard.
    let next: String
    /// The form that was refused for want of a session; `nil` where there was none.
    let unsent: ResumableForm?

    /// What comes before the token in the path and query of a sign-in link.
    static let linkStart = "\(PageLink.signIn)?token="

    /// What a sign-in link sends.
    init(secret: String, next: String) {
        self.secret = secret
        self.next = next
        unsent = nil
    }

    /// Decodes the form's body.
    ///
    /// A person who pastes the whole sign-in link means the token in it.
    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: FlagRequest.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        let typed = (fields["token"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        secret = typed.firstRange(of: Self.linkStart).map { String(typed[$0.upperBound...]) } ?? typed
        next = LocalPath.checked(fields["next"])
        unsent = fields["unsentTo"].flatMap { ResumableForm(to: $0, body: fields["unsent"] ?? "") }
    }
}
