import Flagboard
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A connection to a server below the level of HTTP.
struct Wire {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Connects, and closes the connection when `body` returns.
    static func open<Result>(_ port: Int, _ body: (inout Wire) async throws -> Result) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var wire = Wire(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&wire)
        }
    }

    func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    /// All that the server sends until it closes the connection.
    mutating func rest() async throws -> String {
        var all = ByteBuffer()
        while let buffer = try await inbound.next() { all.writeImmutableBuffer(buffer) }
        return String(buffer: all)
    }

    /// What the server sends up to and with `end`.
    mutating func receive(upTo end: String) async throws -> String {
        var text = ""
        while let buffer = try await inbound.next() {
            text += String(buffer: buffer)
            if text.hasSuffix(end) { return text }
        }
        throw WireClosed(received: text)
    }
}

extension Wire {
    /// What the server sends until a text is in it.
    mutating func receive(until part: String) async throws -> String {
        var text = ""
        while !text.contains(part) {
            guard let buffer = try await inbound.next() else { throw WireClosed(received: text) }
            text += String(buffer: buffer)
        }
        return text
    }
}

/// That a server closed a connection which was to stay open.
struct WireClosed: Error {
    let received: String
}

/// Runs a server that is held to limits for as long as `body` takes.
func withServer<Context: RequestContext>(
    _ router: Router<Context>, _ limits: ConnectionLimits,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws where Context.Source == ApplicationRequestContextSource {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
        router: router, server: .guarded(by: limits),
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(
            services: [.init(service: application)], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { listening.finish() }
            try await group.run()
        }
        for await port in ports {
            try await body(port)
            break
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}
