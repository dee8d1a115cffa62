import FlagChanges
import Foundation
import Hummingbird

/// The sign-in page, which reveals nothing about the files.
struct SignInPage: PageModel {
    static let template = "sign-in"

    /// The page to open after signing in.
    let next: String
    let advice: String
    /// `nil` before any attempt.
    let problem: String?
    /// Set if another site linked to the requested page: following the link from here sends the session's cookie.
    let continueHref: String?
    /// Input of a form that was refused without a session.
    let typed: [TypedValue]
    /// The form to send again after signing in.
    let unsent: Unsent?
    /// The named token of the link that led here.
    let invitation: Invitation?
    let banner: EnvironmentBanner?
    /// `nil` for the system's.
    let theme: String?

    struct Unsent: Hashable, PagePart {
        let address: String
        let body: String
    }

    struct Invitation: Hashable, PagePart {
        let name: String
        let role: String
        let secret: String
    }

    init(
        next: String, hasLink: Bool, problem: String? = nil, continueHref: String? = nil, typed: [TypedValue] = [],
        unsent: ResumableForm? = nil, banner: EnvironmentBanner? = nil, settings: ViewerSettings = ViewerSettings()
    ) {
        self.banner = banner
        theme = settings.chosenTheme
        self.next = next
        advice =
            hasLink
            ? "Open the sign-in link that Flagboard printed at start, or paste a token."
            : "Paste your token. Ask an admin for one if you don’t have it."
        self.problem = problem
        self.continueHref = continueHref
        self.typed = typed
        self.unsent = unsent.map { Unsent(address: $0.address, body: $0.body) }
        invitation = nil
    }

    /// Creates the page of a link with a named token, where one press signs in.
    init(
        invited person: Dashboard.Person, secret: String, next: String, banner: EnvironmentBanner?,
        settings: ViewerSettings
    ) {
        self.banner = banner
        theme = settings.chosenTheme
        self.next = next
        advice = "This link signs you in. Anyone who has it can use it, so keep it to yourself."
        (problem, continueHref, typed, unsent) = (nil, nil, [], nil)
        invitation = Invitation(name: person.name, role: person.role.rawValue, secret: secret)
    }
}

/// The page between a sign-in link and the dashboard, after a navigation from another site or program.
struct ArrivalPage: PageModel {
    static let template = "arrival"

    let href: String
    /// The content of the `refresh` meta element.
    let refresh: String

    init(href: String, below mount: MountPath = .root) {
        self.href = href
        refresh = "0; url=\(mount.address(of: href))"
    }
}

struct SignInRequest: Sendable {
    let secret: String
    /// The page to open after signing in, within the dashboard.
    let next: String
    let unsent: ResumableForm?

    /// The part of a sign-in link before its token.
    static let linkStart = "\(PageLink.signIn)?token="

    init(secret: String, next: String) {
        self.secret = secret
        self.next = next
        unsent = nil
    }

    /// A pasted sign-in link counts as its token.
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
    /// `token` is from ``issue()``; `address` is like `http://127.0.0.1:8080/`.
    package static func link(_ token: String, at address: String) -> String {
        address + SignInRequest.linkStart.dropFirst() + token
    }
}
