import Foundation
import Hummingbird

/// The page to sign in with.
///
/// It tells nothing of the files.
struct SignInPage: PageModel {
    static let template = "sign-in"

    /// Where to go then.
    let next: String
    let advice: String
    /// Why the person is not let in; `nil` where nothing is wrong yet.
    let problem: String?
    /// The page that another site led to, which a browser with a session shows when it is asked for from here.
    let continueHref: String?
    /// What a form held that was refused for want of a session.
    let typed: [TypedValue]
    /// The form that may be sent again after signing in.
    let unsent: Unsent?
    /// What tells this dashboard from others, at the top.
    let banner: EnvironmentBanner?
    /// The colours that the viewer has chosen; `nil` for those of the system.
    let theme: String?

    /// A form as it travels through the page.
    struct Unsent: Hashable, PagePart {
        let address: String
        let body: String
    }

    /// Makes the page.
    ///
    /// - Parameter unsent: The form itself, where it may be sent again.
    init(
        next: String, hasLink: Bool, problem: String? = nil, continueHref: String? = nil, typed: [TypedValue] = [],
        unsent: ResumableForm? = nil, banner: EnvironmentBanner? = nil, settings: ViewerSettings = ViewerSettings()
    ) {
        self.banner = banner
        theme = settings.chosenTheme
        self.next = next
        advice =
            hasLink
            ? "Open the sign-in link that Flagboard printed when it started, or paste a token here."
            : "Paste the token that you were given. Whoever runs this Flagboard can make one for you."
        self.problem = problem
        self.continueHref = continueHref
        self.typed = typed
        self.unsent = unsent.map { Unsent(address: $0.address, body: $0.body) }
    }
}

/// The page between the sign-in link and the dashboard, for whom another site or program has led here.
struct ArrivalPage: PageModel {
    static let template = "arrival"

    let href: String
    /// What has browsers go there at once.
    let refresh: String

    /// Makes the page.
    init(href: String, below mount: MountPath = .root) {
        self.href = href
        refresh = "0; url=\(mount.address(of: href))"
    }
}

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
        let body = try await request.body.collect(upTo: FormFields.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        let typed = (fields["token"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        secret = typed.firstRange(of: Self.linkStart).map { String(typed[$0.upperBound...]) } ?? typed
        next = LocalPath.checked(fields["next"])
        unsent = fields["unsentTo"].flatMap { ResumableForm(to: $0, body: fields["unsent"] ?? "") }
    }
}

extension LaunchToken {
    /// The address that signs a person in.
    ///
    /// - Parameters:
    ///   - token: What ``issue()`` returned.
    ///   - address: Where the server listens, such as `http://127.0.0.1:8080/`.
    /// - Returns: The address, with the token in its query.
    public static func link(_ token: String, at address: String) -> String {
        address + SignInRequest.linkStart.dropFirst() + token
    }
}
