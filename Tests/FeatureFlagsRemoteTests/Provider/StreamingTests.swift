import FeatureFlags
import FeatureFlagsRemote
import Foundation
import Synchronization
import TestClock
import Testing

@Suite("A stream of events that is followed")
struct StreamingTests {
    private let clock = ManualClock()
    private let lines = LogLines()

    /// Streams that a server gives out, one for each time that it is asked for one.
    private final class Streams: Sendable {
        private let opened: Mutex<[AsyncStream<String>.Continuation]> = Mutex([])

        func open() -> RemoteServer.Reply {
            let (texts, continuation) = AsyncStream.makeStream(of: String.self)
            opened.withLock { $0.append(continuation) }
            continuation.yield("retry: 2000\n: Flagboard\n\n")
            return .events(texts)
        }

        func send(_ text: String) { opened.withLock { $0.last }?.yield(text) }
        func end() { opened.withLock { $0.last }?.finish() }
    }

    private let streams = Streams()

    /// A server of values, and of a stream of events.
    private func server() async throws -> RemoteServer {
        try await RemoteServer { [streams] question in
            question.path == "/events" ? streams.open() : .json(#"{"n": 1}"#, tag: "\"1\"")
        }
    }

    private func next(
        _ questions: inout AsyncStream<RemoteServer.Question>.Iterator, at path: String
    ) async -> RemoteServer.Question? {
        while let question = await questions.next() {
            if question.path == path { return question }
        }
        return nil
    }

    /// The next wait of a length that begins, others passed over.
    private func wait(
        _ sleeps: inout AsyncStream<Duration>.Iterator, _ isWanted: (Duration) -> Bool
    ) async throws -> Duration {
        while true {
            let sleep = try #require(await sleeps.next())
            if isWanted(sleep) { return sleep }
        }
    }

    /// What OFREP answers, with the stream that tells of changes.
    private static func answer(naming place: String) -> RemoteServer.Reply {
        .json(#"{"flags": [], "eventStreams": [{"type": "sse", "endpoint": {"requestUri": "\#(place)"}}]}"#)
    }

    private func isRetry(_ sleep: Duration) -> Bool { sleep != .seconds(15) && sleep != .seconds(60) }

    @Test(arguments: ["/events", "full"])
    func `an event has the server asked at once, whatever it is called`(_ place: String) async throws {
        let server = try await server()
        let events = place == "full" ? server.address("/events") : place
        let provider = try RemoteProvider(server.address(), options: .by(clock, events: .at(events)))
        var questions = server.questions.makeAsyncIterator()
        try await provider.setUp()
        #expect(await next(&questions, at: "/events")?["Accept"] == "text/event-stream")
        // Once for the start, and once for what may have changed until the stream was open.
        _ = await next(&questions, at: "/flags.json")
        var updates = try #require(provider.updates).makeAsyncIterator()
        let told = ["event: flag-changed\nid: 7\ndata: {}\n\n", "data: x\n\n", "event: standing\ndata: {}\n\n"]
        for (number, event) in told.enumerated() {
            server.answer { [streams] question in
                question.path == "/events" ? streams.open() : .json(#"{"n": \#(number + 2)}"#)
            }
            streams.send(event)
            #expect(await updates.next()?.keys == [keyPath("n")])
        }
        #expect(provider.status.isStreaming && provider.problems == [])
        #expect(provider.condition == "from the server, as of 2025-11-25 10:00:00 UTC, updated by events since")
        await provider.tearDown()
        #expect(!provider.status.isStreaming)
    }

    @Test func `a stream that ends is opened again from the last event on, and polled for meanwhile`() async throws {
        let server = try await server()
        let provider = try RemoteProvider(
            server.address(), options: .by(clock, events: .at("/events")), log: lines.log)
        var (questions, sleeps) = (server.questions.makeAsyncIterator(), clock.sleeps.makeAsyncIterator())
        try await provider.setUp()
        #expect(await next(&questions, at: "/events")?["Last-Event-ID"] == nil)
        streams.send("id: 7\ndata: x\n\n")
        _ = await next(&questions, at: "/flags.json")
        streams.end()
        // One sleep until the stream is opened again, by the server's wish two seconds at least, and one until the values are asked for.
        let retry = try await wait(&sleeps, isRetry)
        #expect(retry == .seconds(2))
        clock.advance(by: retry)
        #expect(await next(&questions, at: "/events")?["Last-Event-ID"] == "7")
        #expect(lines.all == [])
        await provider.tearDown()
    }

    @Test func `where no stream can be had, the values are asked for at intervals, and it is told once`() async throws {
        let server = try await RemoteServer { question in
            question.path == "/events" ? .status(404) : .json("{}", tag: "\"1\"")
        }
        let provider = try RemoteProvider(
            server.address(), options: .by(clock, events: .at("/events")), log: lines.log)
        var (questions, sleeps) = (server.questions.makeAsyncIterator(), clock.sleeps.makeAsyncIterator())
        try await provider.setUp()
        _ = await next(&questions, at: "/flags.json")
        var (retries, intervals) = (0, 0)
        while retries < 4 || intervals == 0 {
            let sleep = try #require(await sleeps.next())
            if sleep == .seconds(60) { intervals += 1 }
            guard isRetry(sleep) else { continue }
            retries += 1
            clock.advance(by: sleep)
        }
        clock.advance(by: .seconds(60))
        _ = await next(&questions, at: "/flags.json")
        #expect(
            lines.all == ["Remote: \(server.address("/events")) responds with status 404: not found; check the address"]
        )
        #expect(provider.problems.count == 1)
        server.answer { [streams] question in
            defer { streams.send("data: x\n\n") }
            return question.path == "/events" ? streams.open() : .json("{}")
        }
        let passing = Task { [clock] in
            for await sleep in clock.sleeps where isRetry(sleep) { clock.advance(by: sleep) }
        }
        defer { passing.cancel() }
        var told = lines.told.makeAsyncIterator()
        _ = await told.next()
        #expect(await told.next() == "Remote: following the event stream again")
        await provider.tearDown()
    }

    @Test func `a silent stream is opened again after three missed heartbeats`() async throws {
        let server = try await server()
        let provider = try RemoteProvider(
            server.address(), options: .by(clock, events: .at("/events")), log: lines.log)
        var (questions, sleeps) = (server.questions.makeAsyncIterator(), clock.sleeps.makeAsyncIterator())
        try await provider.setUp()
        _ = await next(&questions, at: "/flags.json")
        _ = await next(&questions, at: "/flags.json")
        var waits = 0
        var wait = try #require(await sleeps.next())
        while !isRetry(wait) {
            if wait == .seconds(15) {
                waits += 1
                clock.advance(by: wait)
            }
            wait = try #require(await sleeps.next())
        }
        #expect(waits >= 3)
        clock.advance(by: wait)
        #expect(await next(&questions, at: "/events") != nil)
        // It was open: a server that tells nothing while nothing happens is none to complain of.
        #expect(lines.all == [])
        await provider.tearDown()
    }

    @Test func `a stream that is never answered is told after three heartbeats`() async throws {
        let server = try await RemoteServer { question in question.path == "/events" ? .silence : .json("{}") }
        let provider = try RemoteProvider(
            server.address(), options: .by(clock, events: .at("/events")), log: lines.log)
        var sleeps = clock.sleeps.makeAsyncIterator()
        try await provider.setUp()
        for _ in 0..<3 { clock.advance(by: try await wait(&sleeps) { $0 == .seconds(15) }) }
        _ = try await wait(&sleeps, isRetry)
        #expect(lines.all == ["Remote: \(server.address("/events")) has sent nothing for 45.0 seconds"])
        await provider.tearDown()
    }

    @Test func `a page, or a stream without an end to an event, is no stream`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
        let endless = RemoteServer.Reply.bytes(head + Array(repeating: UInt8(ascii: "x"), count: 2_000_000))
        for reply in [RemoteServer.Reply.answer(200, ["Content-Type": "text/html"], Data("<p>".utf8)), endless] {
            let (clock, lines) = (ManualClock(), LogLines())
            let server = try await RemoteServer { question in question.path == "/events" ? reply : .json("{}") }
            let provider = try RemoteProvider(
                server.address(), options: .by(clock, events: .at("/events")), log: lines.log)
            var sleeps = clock.sleeps.makeAsyncIterator()
            try await provider.setUp()
            _ = try await wait(&sleeps, isRetry)
            #expect(lines.all.count == 1 && lines.all[0].contains("event stream"))
            await provider.tearDown()
        }
    }

    @Test func `204 ends the stream for good`() async throws {
        let server = try await RemoteServer { question in question.path == "/events" ? .status(204) : .json("{}") }
        let provider = try RemoteProvider(
            server.address(), options: .by(clock, events: .at("/events")), log: lines.log)
        var questions = server.questions.makeAsyncIterator()
        try await provider.setUp()
        _ = await next(&questions, at: "/events")
        var told = lines.told.makeAsyncIterator()
        #expect(await told.next()?.contains("204") == true)
        await provider.tearDown()
        #expect(lines.all.count == 1)
    }

    @Test func `OFREP's answers name their stream, which is followed unless it is at another origin or not wanted`()
        async throws
    {
        let server = try await RemoteServer { [streams] question in
            question.path == "/events" ? streams.open() : Self.answer(naming: "/events")
        }
        var questions = server.questions.makeAsyncIterator()
        let provider = try RemoteProvider(server.address(""), shape: .ofrep, options: .by(clock))
        try await provider.setUp()
        let evaluation = try #require(await questions.next())
        #expect(evaluation.method == "POST" && evaluation.path == "/ofrep/v1/evaluate/flags")
        #expect(evaluation.body == #"{"context":{}}"#)
        #expect(await next(&questions, at: "/events") != nil)
        await provider.tearDown()

        server.answer(Self.answer(naming: "//192.0.2.1/events"))
        let elsewhere = try RemoteProvider(
            server.address(""), shape: .ofrep, options: .by(ManualClock()), log: lines.log)
        try await elsewhere.setUp()
        var told = lines.told.makeAsyncIterator()
        #expect(await told.next()?.contains("different origin, http://192.0.2.1/events") == true)
        await elsewhere.tearDown()
    }

    @Test func `values are asked for at intervals where an answer names another stream, which can't be had`()
        async throws
    {
        let evaluation = "/ofrep/v1/evaluate/flags"
        let server = try await RemoteServer { [streams] question in
            question.path == "/events" ? streams.open() : Self.answer(naming: "/events")
        }
        var questions = server.questions.makeAsyncIterator()
        let provider = try RemoteProvider(
            server.address(""), shape: .ofrep, options: .by(clock), log: lines.log)
        try await provider.setUp()
        // Once for the start, and once for what may have changed until the stream was open.
        for _ in 0..<2 { _ = await next(&questions, at: evaluation) }
        try #require(provider.status.isStreaming)
        server.answer { question in question.path == evaluation ? Self.answer(naming: "/gone") : .status(404) }
        streams.send("data: x\n\n")
        _ = await next(&questions, at: evaluation)
        var told = lines.told.makeAsyncIterator()
        #expect(await told.next()?.contains("/gone responds with status 404") == true)
        try #require(!provider.status.isStreaming)
        let passing = Task { [clock] in
            for await sleep in clock.sleeps where sleep == .seconds(60) { clock.advance(by: sleep) }
        }
        defer { passing.cancel() }
        #expect(await next(&questions, at: evaluation) != nil)
        await provider.tearDown()
    }

    @Test func `a token goes along to the values' origin alone`() async throws {
        let other = try await server()
        let server = try await server()
        var (questions, others) = (server.questions.makeAsyncIterator(), other.questions.makeAsyncIterator())
        let provider = try RemoteProvider(
            server.address(), credential: .bearer { "secret" },
            options: .by(clock, events: .at(other.address("/events"))))
        try await provider.setUp()
        #expect(await questions.next()?["Authorization"] == "Bearer secret")
        #expect(await others.next()?["Authorization"] == nil)
        await provider.tearDown()
    }

    @Test func `a server that asks to be left alone is, whatever its stream tells`() async throws {
        let server = try await RemoteServer { [streams] question in
            question.path == "/events" ? streams.open() : .status(503, ["Retry-After": "900"])
        }
        let provider = try RemoteProvider(server.address(), options: .by(clock, events: .at("/events")))
        var (questions, sleeps) = (server.questions.makeAsyncIterator(), clock.sleeps.makeAsyncIterator())
        await #expect(throws: RemoteError.self) { try await provider.setUp() }
        _ = try await wait(&sleeps) { $0 == .seconds(900) }
        _ = await next(&questions, at: "/events")
        for _ in 0..<5 { streams.send("data: x\n\n") }
        streams.end()
        // The events were read before the stream ended, which leads to a sleep.
        _ = try await wait(&sleeps) { $0 == .seconds(2) }
        await #expect(throws: RemoteError.self) { try await provider.refresh() }
        await provider.tearDown()
        try await server.close()
        #expect(server.count(at: "/flags.json") == 2)
    }
}
