import Hummingbird
import NIOCore

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

/// A request context with the connection and nothing else beyond Hummingbird's own, for an app that needs no more.
public struct BasicEmbeddingContext: EmbeddingContext {
    /// What Hummingbird keeps of a request.
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    public let channel: any Channel

    /// Takes up a request.
    ///
    /// - Parameter source: What the server knows of it.
    public init(source: Source) {
        (coreContext, channel) = (CoreRequestContextStorage(source: source), source.channel)
    }
}

/// What an app throws where it is asked whom it lets in; the app, not the dashboard, answers that.
struct AppRefusal: Error {
    let cause: any Error
}
