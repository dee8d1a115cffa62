import FlagChanges
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The stream of events: what others change, as it happens.
extension Dashboard {
    /// Streams what happens after the row that the listener has.
    ///
    /// That is told by `Last-Event-ID`, which browsers send after a break, else by the field `after`; else it is the last row
    /// of now. The field `standing` holds the ``StatusFingerprint`` of what the listener shows.
    func eventStream(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let source = try await EventSource(
            service, after: request.headers[.lastEventID] ?? query["after"],
            standing: query["standing"].map(StatusFingerprint.init(text:)))
        return try await stream(source, context)
    }

    /// Streams what a teller tells, for the sender of a request.
    func stream(_ source: some EventTeller, _ context: DashboardContext) async throws -> Response {
        guard let visitor = context.visitor else { throw SignInError.missing }
        let place = try eventStreams.enter(visitor.person.name)
        let closing = context.channel.closeFuture
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            try await stream(source, to: visitor, context, at: place, until: closing, &writer)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// How many streams of events there may be unless the operator says otherwise.
    package static let usualStreams = EventStreams.maximum

    /// Has every stream end at once whose listener is let in no longer.
    package func endStrangersStreams() { eventStreams.wakeAll() }

    /// Writes events until the connection is closed, the process is to stop, the visitor is let in no longer, or another one gets
    /// the place.
    ///
    /// A listener that is slow to take them is waited for; what happens meanwhile is told then.
    private func stream(
        _ source: some EventTeller, to visitor: Visitor, _ context: DashboardContext, at place: EventStreams.Place,
        until closing: EventLoopFuture<Void>, _ writer: inout any ResponseBodyWriter
    ) async throws {
        var source = source
        let (wakes, wake) = (place.wakes, place.wake)
        closing.whenComplete { _ in wake.finish() }
        let updates = try await service.updates()
        let heartbeat = eventStreams.heartbeat
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { for await _ in updates { wake.yield() } }
            group.addTask {
                while true {
                    try await Task.sleep(for: heartbeat)
                    wake.yield()
                }
            }
            wake.yield()
            try await writer.write(ByteBuffer(string: EventText.start))
            // A server waits for its answers before it stops, and this one has no end of its own.
            try await withGracefulShutdownHandler {
                try await write(&source, to: visitor, context, at: wakes, &writer)
            } onGracefulShutdown: {
                wake.finish()
            }
        }
    }

    /// Writes what a teller tells each time that there may be something to tell.
    private func write(
        _ source: inout some EventTeller, to visitor: Visitor, _ context: DashboardContext, at wakes: AsyncStream<Void>,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        for await _ in wakes {
            guard try await isLetIn(visitor, context) else {
                try await writer.write(ByteBuffer(string: EventText.ended))
                return
            }
            let text = try await source.next()
            try await writer.write(ByteBuffer(string: text.isEmpty ? EventText.heartbeat : text))
        }
    }

    /// Whether a visitor is still who may see what happens.
    private func isLetIn(_ visitor: Visitor, _ context: DashboardContext) async throws -> Bool {
        switch access {
        case .app: await context.appLetsIn(visitor.person)
        case .open where visitor.proof == .open, .ownSocket where visitor.proof == .open: true
        case .signIn, .open, .ownSocket: try access.control?.stillLetsIn(visitor, at: clock()) ?? false
        }
    }
}
