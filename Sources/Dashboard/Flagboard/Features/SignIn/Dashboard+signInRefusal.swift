import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// A person gets the sign-in page, a program JSON.
    ///
    /// - Parameter attempt: The refused sign-in form; `nil` if the request's body has not been read.
    func answer(
        to refusal: SignInError, _ request: Request, after attempt: SignInRequest? = nil
    ) async throws -> Response {
        var response =
            Route.isForPrograms(request.uri.path)
            ? try problem(refusal) : try await page(for: refusal, request, after: attempt)
        if refusal.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if case .tooMany(let seconds) = refusal { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    private func page(
        for refusal: SignInError, _ request: Request, after attempt: SignInRequest?
    ) async throws -> Response {
        var (unsent, typed) = (attempt?.unsent, attempt?.unsent?.typed ?? [])
        if attempt == nil {
            let request = await Self.collected(request)
            unsent = await ResumableForm(request)
            typed = if let unsent { unsent.typed } else { await TypedValue.all(in: request) }
        }
        let isRead = request.method == .get || request.method == .head
        let hasPage = isRead || Self.key(in: request) != nil || Route.at(request.uri.path)?.isDefinition == true
        let asked = hasPage ? LocalPath.checked(request.uri.string) : PageLink.flags
        let isFromElsewhere = isRead && request.headers[.secFetchSite]?.hasSuffix("-site") == true
        let hasLink = if case .signIn(let control) = access { control.launch != nil } else { false }
        return try respond(
            SignInPage(
                next: attempt?.next ?? asked, hasLink: hasLink, problem: refusal.problem,
                continueHref: isFromElsewhere && refusal == .missing ? asked : nil,
                typed: typed, unsent: unsent, banner: banner,
                settings: SettingsCookie.settings(in: request)),
            status: refusal.status)
    }

    /// Buffers the body, which can be read only once; drops one that is too large to show again.
    private static func collected(_ request: Request) async -> Request {
        var request = request
        guard request.method == .post else { return request }
        do {
            _ = try await request.collectBody(upTo: FormFields.maximumBytes)
        } catch {
            request.body = RequestBody(buffer: ByteBuffer())
        }
        return request
    }

    private func problem(_ refusal: SignInError) throws -> Response {
        let remedy = "Send a token: Authorization: Bearer TOKEN. flagboard token add makes one."
        let problem = ProblemDocument(
            code: refusal.code, title: refusal.title, status: refusal.status.code,
            detail: refusal.problem ?? "No token sent.",
            remedy: remedy, key: nil, problems: nil, conflict: nil, changes: nil)
        return respond(json: problem, status: refusal.status)
    }
}

extension SignInError {
    var status: HTTPResponse.Status {
        switch self {
        case .missing, .ended, .wrongToken, .wrongLink: .unauthorized
        case .tooMany: .tooManyRequests
        case .unavailable: .serviceUnavailable
        }
    }

    var title: String {
        switch self {
        case .missing, .ended: "Not signed in"
        case .wrongToken, .wrongLink: "Invalid token"
        case .tooMany: "Too many attempts"
        case .unavailable: "Sign-in is unavailable"
        }
    }

    /// The problem and the remedy; `nil` before any attempt.
    var problem: String? {
        switch self {
        case .missing: nil
        case .ended:
            "Your session has ended. Sign in again to continue."
        case .wrongToken:
            "Invalid or expired token."
        case .wrongLink:
            "Invalid or expired link. Ask for a new one, or use the last one that Flagboard printed."
        case .tooMany(let seconds):
            "Too many attempts. Try again in \(seconds) seconds. A valid token still works."
        case .unavailable:
            "The tokens file can’t be used. See Flagboard’s log for the cause, then try again."
        }
    }
}
