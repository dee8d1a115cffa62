import FlagChanges
import FlagHistory
import Hummingbird
import NIOCore

struct DashboardContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The client's address as a trusted proxy says; `nil` without one.
    var forwardedAddress: String?
    var address: String { forwardedAddress ?? channel.remoteAddress?.ipAddress ?? "an unknown address" }
    /// `nil` until proven.
    var visitor: Visitor?
    /// Authenticates again at each call; `nil` without a host app.
    var appsWord: (@Sendable () async throws -> Dashboard.Person?)?
    var note: FlashNote?
    var asked: AskedPage?
    var settings = ViewerSettings()
    var memory = ViewerMemory()
    let shownRow = ShownRow()

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    init(_ context: some EmbeddingContext) {
        coreContext = CoreRequestContextStorage(source: context)
        channel = context.channel
    }

    /// `nil` if the app lets no person in.
    func askApp() async throws(AppRefusal) -> Dashboard.Person? {
        do {
            return try await appsWord?()
        } catch {
            throw AppRefusal(cause: error)
        }
    }

    func appLetsIn(_ person: Dashboard.Person) async -> Bool {
        do {
            return try await askApp() == person
        } catch {
            return false
        }
    }

    /// - Throws: ``SignInError`` if the sender is not proven; never on routes that need a session.
    func author(
        _ origin: HistoryRecord.Origin, confirming environments: Set<String> = []
    ) throws(SignInError) -> ChangeAuthor {
        guard let person = visitor?.person else { throw .missing }
        var author = ChangeAuthor(name: person.name, role: person.role, origin: origin, requestID: id)
        author.confirmedEnvironments = environments
        return author
    }
}

/// A host app's request context that keeps the request's connection.
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
/// The dashboard ends event streams when the connection closes, and slows down token guesses by address.
public protocol EmbeddingContext: RequestContext {
    /// The request's connection.
    var channel: any Channel { get }
}

/// The host app's error while authenticating, which the app answers itself.
struct AppRefusal: Error {
    let cause: any Error
}

struct AskedPage: Hashable, Sendable {
    let address: BrowserAddress
    /// The percent-encoded path and query within the dashboard.
    let target: String
}

/// A coloured label at the top of every page that distinguishes environments.
public struct EnvironmentBanner: Hashable, PagePart {
    /// Colours that are readable in both themes.
    public enum Colour: String, CaseIterable, Sendable {
        case red, amber, green, blue, violet, gray
    }

    /// The limit of the text, in characters.
    public static let longestText = 80

    package let text: String
    let colour: String

    /// Creates a banner.
    ///
    /// - Parameters:
    ///   - text: One line of at most ``longestText`` characters.
    ///   - colour: The label's colour.
    public init(text: String, colour: Colour = .blue) {
        self.text = text
        self.colour = colour.rawValue
    }
}
