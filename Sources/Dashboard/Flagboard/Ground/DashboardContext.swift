import FlagChanges
import FlagHistory
import Hummingbird
import NIOCore

/// What the dashboard knows of a request beyond the request itself.
struct DashboardContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    let channel: any Channel
    /// The address that the request came from.
    var address: String { channel.remoteAddress?.ipAddress ?? "an unknown address" }
    /// Who sent the request; `nil` as long as that is not proven.
    var visitor: Visitor?
    /// Asks the app that the dashboard is embedded in whom it lets in as the sender of the request, as often as that is called;
    /// `nil` where no app says so.
    var appsWord: (@Sendable () async throws -> Dashboard.Person?)?
    /// What has just been done, to be told on the page that is asked for.
    var note: String?
    /// The page that is asked for; `nil` where something is sent.
    var asked: AskedPage?
    /// What the sender has chosen about how pages look.
    var settings = ViewerSettings()
    /// What the sender's browser remembers of the dashboard.
    var memory = ViewerMemory()
    /// The newest row of the history that the page is told with.
    let shownRow = ShownRow()

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Takes over the request of an app that the dashboard is embedded in.
    init(_ context: some EmbeddingContext) {
        coreContext = CoreRequestContextStorage(source: context)
        channel = context.channel
    }

    /// Asks the app that the dashboard is embedded in whom it lets in as the sender of the request.
    ///
    /// - Returns: `nil` where it lets no person in.
    func askApp() async throws(AppRefusal) -> Dashboard.Person? {
        do {
            return try await appsWord?()
        } catch {
            throw AppRefusal(cause: error)
        }
    }

    /// Whether the app that the dashboard is embedded in still lets the sender in, as the same person.
    func appLetsIn(_ person: Dashboard.Person) async -> Bool {
        do {
            return try await askApp() == person
        } catch {
            return false
        }
    }

    /// Who a change is recorded for.
    ///
    /// - Throws: ``SignInError`` where its sender is not proven, which is so for no route that needs a session.
    func author(_ origin: HistoryRecord.Origin) throws(SignInError) -> ChangeAuthor {
        guard let person = visitor?.person else { throw .missing }
        return ChangeAuthor(name: person.name, role: person.role, origin: origin, requestID: id)
    }
}

/// The request context of an app that the dashboard is embedded in: one that keeps the request's connection.
///
/// ```swift
/// struct AppContext: EmbeddingContext {
///     var coreContext: CoreRequestContextStorage
///     let channel: any Channel
///
///     init(source: Source) {
///         (coreContext, channel) = (CoreRequestContextStorage(source: source), source.channel)
///     }
/// }
/// ```
///
/// The dashboard ends a stream of events when its connection is closed, and slows down who guesses tokens from one address.
public protocol EmbeddingContext: RequestContext {
    /// The connection that the request came by.
    var channel: any Channel { get }
}

/// What an app throws where it is asked whom it lets in; the app, not the dashboard, answers that.
struct AppRefusal: Error {
    let cause: any Error
}

/// The page that a browser asked for.
struct AskedPage: Hashable, Sendable {
    /// How the browser reaches the dashboard.
    let address: BrowserAddress
    /// The path within the dashboard, percent-encoded, with its query.
    let target: String
}

/// A text in a colour at the top of every page, and before its title, that tells one environment from another.
public struct EnvironmentBanner: Hashable, PagePart {
    /// The colours, each of them readable in both themes.
    public enum Colour: String, CaseIterable, Sendable {
        case red, amber, green, blue, violet, gray
    }

    /// How long the text may be, in characters.
    public static let longestText = 80

    /// Such as `Production`.
    let text: String
    /// The colour's name, for the style sheet.
    let colour: String

    /// Makes a banner.
    ///
    /// - Parameters:
    ///   - text: What it says; one line of at most ``longestText`` characters.
    ///   - colour: Its colour.
    public init(text: String, colour: Colour = .blue) {
        self.text = text
        self.colour = colour.rawValue
    }
}
