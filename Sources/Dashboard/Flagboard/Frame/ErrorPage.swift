import FeatureFlags
import Hummingbird
import Logging

/// What a refused request is answered with: what is wrong, with which flag, and what to do.
struct ErrorPage: PageModel {
    static let template = "error"

    let frame: PageFrame
    let text: ErrorText
    /// The flag that the request was about.
    let flagLink: TextLink?
    /// Where to find what was looked for.
    let nextLink: TextLink?

    /// Makes the page.
    ///
    /// - Parameter flag: The flag that the request was about, where it may be known.
    init(frame: PageFrame, text: ErrorText, flag: FlagKeyPath? = nil, next: TextLink? = nil) {
        self.frame = frame.titled(text.heading, in: nil)
        self.text = text
        flagLink = flag.map { TextLink(label: $0.shownText, href: PageLink.flag($0)) }
        nextLink = next
    }
}

/// What a request is answered with that no page of this dashboard, or no name of it, can have led to.
///
/// It tells nothing of the files, and no file is read for it.
struct BareErrorPage: PageModel {
    static let template = "bare-error"

    let text: ErrorText
    /// Where to go on, where this dashboard may be what was looked for; `nil` where it may not.
    let homeHref: String?
    /// The colours that the viewer has chosen; `nil` for those of the system.
    let theme: String?

    init(text: ErrorText, settings: ViewerSettings) {
        theme = settings.chosenTheme
        self.text = text
        homeHref = text.status == 405 || text.status == 404 ? PageLink.flags : nil
    }
}

/// A refusal in words.
struct ErrorText: Hashable, PagePart {
    /// The status of the answer.
    let status: Int
    /// What is wrong, in a few words.
    let heading: String
    /// What is wrong, in sentences.
    let message: String
    /// What to do, in sentences.
    let remedy: String
    /// What the form held, which is lost otherwise.
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
    /// Answers a change that was made.
    ///
    /// The change is durable by then. Where the rest of the answer can't be read any more, a plain answer says just that it was
    /// made: an error would read as though nothing had been changed.
    ///
    /// - Parameters:
    ///   - context: The request; its log gets what could not be read.
    ///   - plain: Makes an answer without looking at files or history.
    func answer(
        toMade context: DashboardContext, _ answer: () async throws -> Response, orPlain plain: () throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch {
            context.logger.warning("A change was made, but what its answer tells besides can't be read: \(error)")
            return try plain()
        }
    }
}
