import Flagboard
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@Suite("Connections that keep a server waiting", .timeLimit(.minutes(10)))
struct ConnectionTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Routes that answer at once, that wait for a word of the test, and that tell what they read.
    private final class Routes: Sendable {
        let waiting: AsyncStream<Void>
        let bodies = Mutex<[String]>([])
        let failures: AsyncStream<String>
        private let arrived: AsyncStream<Void>.Continuation
        private let words: AsyncStream<Void>
        private let go: AsyncStream<Void>.Continuation
        private let failed: AsyncStream<String>.Continuation

        init() {
            (waiting, arrived) = AsyncStream.makeStream()
            (words, go) = AsyncStream.makeStream()
            (failures, failed) = AsyncStream.makeStream()
        }

        func goOn() { go.yield() }

        func router() -> Router<BasicRequestContext> {
            let router = Router(context: BasicRequestContext.self)
            router.get("/") { _, _ in "here" }
            router.get("/wait") { [arrived, words] _, _ in
                arrived.yield()
                for await _ in words { break }
                return "waited"
            }
            router.get("/endless") { [failed] _, _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        do {
                            let part = ByteBuffer(repeating: UInt8(ascii: "x"), count: 65536)
                            while true { try await writer.write(part) }
                        } catch {
                            failed.yield("\(error)")
                            throw error
                        }
                    })
            }
            router.post("/body") { [self] request, _ in
                do {
                    let body = try await request.body.collect(upTo: 1000)
                    bodies.withLock { $0.append(String(buffer: body)) }
                } catch {
                    failed.yield("\(error)")
                    throw error
                }
                return "read"
            }
            return router
        }
    }

    @Test("One connection too many takes the place of the one that has waited longest")
    func displaced() async throws {
        try await withServer(Routes().router(), ConnectionLimits(connections: 2)) { port in
            try await Wire.open(port) { first in
                try await first.send(Self.request)
                _ = try await first.receive(upTo: "here")
                try await Wire.open(port) { second in
                    try await second.send(Self.request)
                    _ = try await second.receive(upTo: "here")
                    try await Wire.open(port) { third in
                        try await third.send(Self.request)
                        _ = try await third.receive(upTo: "here")
                        #expect(try await first.rest() == "")
                        try await second.send(Self.request)
                        _ = try await second.receive(upTo: "here")
                    }
                }
            }
        }
    }

    @Test("A request that is being answered is never given up for another")
    func answering() async throws {
        let routes = Routes()
        try await withServer(routes.router(), ConnectionLimits(connections: 1)) { port in
            try await Wire.open(port) { first in
                try await first.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
                for await _ in routes.waiting { break }
                let refused = try await Wire.open(port) { second in try await second.rest() }
                #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\r\nRetry-After: 1\r\n"))
                routes.goOn()
                #expect(try await first.receive(upTo: "waited").hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("Half a body that is given up for another connection is never taken for the whole")
    func halfBody() async throws {
        let routes = Routes()
        try await withServer(routes.router(), ConnectionLimits(connections: 1)) { port in
            try await Wire.open(port) { first in
                try await first.send(
                    "POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
                _ = try await first.receive(upTo: "100 Continue\r\n\r\n")
                try await first.send("half")
                try await Wire.open(port) { second in
                    try await second.send(Self.request)
                    _ = try await second.receive(upTo: "here")
                }
                #expect(try await first.rest().hasPrefix("HTTP/1.1 503 "))
                for await _ in routes.failures { break }
                #expect(routes.bodies.withLock { $0 } == [])
            }
        }
    }

    @Test(
        "What takes too long to arrive is answered 408 and read by nobody",
        arguments: [
            ("GET / HTTP/1.1\r\nHost", ConnectionLimits(head: .milliseconds(20))),
            (
                "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
                ConnectionLimits(request: .milliseconds(20))
            ),
            (
                "POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
                ConnectionLimits(request: .milliseconds(20))
            ),
        ])
    func slow(sent: String, limits: ConnectionLimits) async throws {
        let routes = Routes()
        try await withServer(routes.router(), limits) { port in
            let answer = try await Wire.open(port) { wire in
                try await wire.send(sent)
                return try await wire.rest()
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 "))
            #expect(answer.contains("\r\nConnection: close\r\n") && answer.contains("frame-ancestors 'none'"))
            if sent.hasPrefix("POST") { for await _ in routes.failures { break } }
            #expect(routes.bodies.withLock { $0 } == [])
        }
    }

    @Test("A connection that stays silent is closed without a word, before its first request and after")
    func silent() async throws {
        try await withServer(Routes().router(), ConnectionLimits(idle: .milliseconds(20))) { port in
            let said = try await Wire.open(port) { wire in try await wire.rest() }
            #expect(said == "")
        }
        try await withServer(Routes().router(), ConnectionLimits(idle: .seconds(5))) { port in
            try await Wire.open(port) { wire in
                try await wire.send(Self.request)
                let answer = try await wire.rest()
                #expect(answer.matches(of: /HTTP\/1\.1 (\d+)/).map(\.1) == ["200"])
            }
        }
    }

    @Test("A client that takes nothing of a response is given up")
    func slowReader() async throws {
        let routes = Routes()
        try await withServer(routes.router(), ConnectionLimits(response: .milliseconds(50))) { port in
            try await Wire.open(port) { wire in
                try await wire.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
                // The response never ends by itself: only a closed connection ends its writing, and what was sent of it.
                let failure = await routes.failures.first { _ in true }
                #expect(failure?.isEmpty == false)
                #expect(try await wire.rest().hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("A body that nobody wants is not read to its end")
    func unwanted() async throws {
        try await withServer(Routes().router(), ConnectionLimits()) { port in
            let answer = try await Wire.open(port) { wire in
                try await wire.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nsome")
                return try await wire.rest()
            }
            #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test("Requests that are sent at once are answered in their order, and what is none after them")
    func pipelined() async throws {
        try await withServer(Routes().router(), ConnectionLimits()) { port in
            let answer = try await Wire.open(port) { wire in
                let other = "GET /none HTTP/1.1\r\nHost: a\r\n\r\n"
                try await wire.send(Self.request + other + Self.request + "nonsense\r\n\r\n")
                return try await wire.rest()
            }
            #expect(answer.matches(of: /HTTP\/1\.1 (\d+)/).map(\.1) == ["200", "404", "200", "400"])
        }
    }
}
