import FlagChanges
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

extension Dashboard {
    /// Streams the events after the listener's last row.
    ///
    /// The row comes from `Last-Event-ID`, which browsers send when they reconnect, else from the field `after`; by
    /// default it is the newest. The field `standing` holds the listener's ``StatusFingerprint``.
    func eventStream(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "")
        let source = try await EventSource(
            service, after: request.headers[.lastEventID] ?? query["after"],
            standing: query["standing"].map(StatusFingerprint.init(text:)))
        return try await stream(source, context)
    }

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
            status: .ok,
            // nginx would otherwise hold events back.
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .proxyBuffering: "no"], body: body)
    }

    package static let usualStreams = EventStreams.maximum

    /// Ends every stream whose listener has lost access.
    package func endStrangersStreams() { eventStreams.wakeAll() }

    /// Writes until the connection closes, the process stops, the visitor loses access or the place is taken.
    ///
    /// Events that happen while a slow listener blocks follow later.
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
            // A graceful shutdown waits for responses, but this one doesn't end by itself.
            try await withGracefulShutdownHandler {
                try await write(&source, to: visitor, context, at: wakes, &writer)
            } onGracefulShutdown: {
                wake.finish()
            }
        }
    }

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

    private func isLetIn(_ visitor: Visitor, _ context: DashboardContext) async throws -> Bool {
        switch access {
        case .app: await context.appLetsIn(visitor.person)
        case .open where visitor.proof == .open, .ownSocket where visitor.proof == .open: true
        case .signIn, .open, .ownSocket: try access.control?.stillLetsIn(visitor, at: clock()) ?? false
        }
    }
}
