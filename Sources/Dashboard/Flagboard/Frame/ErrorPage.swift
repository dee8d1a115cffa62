import FeatureFlags
import FlagChanges
import Hummingbird
import Logging

/// The problem, the flag and the remedy.
struct ErrorPage: PageModel {
    static let template = "error"

    let frame: PageFrame
    let text: ErrorText
    let flagLink: TextLink?
    let nextLink: TextLink?

    /// - Parameter flag: The flag of the request, if the viewer may know it.
    init(frame: PageFrame, text: ErrorText, flag: FlagKeyPath? = nil, next: TextLink? = nil) {
        self.frame = frame.titled(text.heading, in: nil)
        self.text = text
        flagLink = flag.map { TextLink(label: $0.shownText, href: PageLink.flag($0)) }
        nextLink = next
    }
}

/// The answer to a request that no page or name of this dashboard can have caused.
///
/// It reveals nothing about the files and reads none.
struct BareErrorPage: PageModel {
    static let template = "bare-error"

    let text: ErrorText
    /// `nil` if the sender may not have meant this dashboard.
    let homeHref: String?
    /// `nil` for the system's.
    let theme: String?

    init(text: ErrorText, settings: ViewerSettings) {
        theme = settings.chosenTheme
        self.text = text
        homeHref = text.status == 405 || text.status == 404 ? PageLink.flags : nil
    }
}

struct ErrorText: Hashable, PagePart {
    let status: Int
    let heading: String
    let message: String
    let remedy: String
    let typed: [TypedValue]

    init(status: Int, title: String, message: String, remedy: String, typed: [TypedValue] = []) {
        self.status = status
        heading = title
        self.message = message.asSentence
        self.remedy = remedy.asSentence
        self.typed = typed
    }
}

extension Dashboard {
    /// Answers a completed change.
    ///
    /// The change is durable by then. If the rest of the answer can't be read, a plain one confirms it: an error would
    /// suggest that nothing had changed.
    ///
    /// - Parameter plain: Makes an answer without files or history.
    func answer(
        toMade context: DashboardContext, _ answer: () async throws -> Response, orPlain plain: () throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch {
            context.logger.warning("A change was made, but the page about it failed: \(error)")
            return try plain()
        }
    }
}
