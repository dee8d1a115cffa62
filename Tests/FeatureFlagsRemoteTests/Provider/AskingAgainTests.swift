import FeatureFlags
import FeatureFlagsRemote
import Foundation
import TestClock
import Testing

@Suite("A server that is asked again and again")
struct AskingAgainTests {
    private let clock = ManualClock()
    private let lines = LogLines()

    /// Waits for a sleep of the poller, and ends it.
    private func pass(_ sleeps: inout AsyncStream<Duration>.Iterator) async throws -> Duration {
        let sleep = try #require(await sleeps.next())
        clock.advance(by: sleep)
        return sleep
    }

    @Test func `each interval asks by the ETag, and 304 leaves everything as it is`() async throws {
        let server = try await RemoteServer { question in
            question["If-None-Match"] == #"W/"7""# ? .status(304) : .json(#"{"on": true}"#, tag: #"W/"7""#)
        }
        let provider = try RemoteProvider(server.address(), options: .by(clock))
        var (questions, sleeps) = (server.questions.makeAsyncIterator(), clock.sleeps.makeAsyncIterator())
        try await provider.setUp()
        let first = try #require(await questions.next())
        #expect(first["If-None-Match"] == nil && first["Accept"] == "application/json" && first.method == "GET")
        var updates = try #require(provider.updates).makeAsyncIterator()
        for _ in 0..<3 {
            #expect(try await pass(&sleeps) == .seconds(60))
            #expect(await questions.next()?["If-None-Match"] == #"W/"7""#)
        }
        server.answer(.json(#"{"on": false}"#, tag: "\"8\""))
        _ = try await pass(&sleeps)
        #expect(await updates.next()?.keys == [keyPath("on")])
        #expect(try provider.storedValue(at: keyPath("on")) == false)
        #expect(provider.problems == [] && lines.all == [])
        await provider.tearDown()
    }

    @Test func `what the next answer no longer holds is absent`() async throws {
        let server = try await RemoteServer { _ in .json(#"{"a": {"b": 1, "c": 2}, "d": null, "e": 3}"#) }
        let provider = try RemoteProvider(server.address(), options: .by(clock))
        try await provider.setUp()
        var updates = try #require(provider.updates).makeAsyncIterator()
        server.answer(.json(#"{"a": {"c": 2}}"#))
        try await provider.refresh()
        #expect(await updates.next()?.keys == [keyPath("a", "b"), keyPath("d"), keyPath("e")])
        #expect(try provider.storedValue(at: keyPath("a", "b")) == nil)
        #expect(try provider.storedValue(at: keyPath("e")) == nil)
        #expect(try provider.storedValue(at: keyPath("a", "c")) == 2)
        await provider.tearDown()
    }

    @Test func `a failing server is asked after waits that grow, the last values stay, and it is told once`()
        async throws
    {
        let server = try await RemoteServer { _ in .json(#"{"on": true}"#, tag: "\"1\"") }
        let lines = lines
        let provider = try RemoteProvider(server.address(), options: .by(clock), log: lines.log)
        var sleeps = clock.sleeps.makeAsyncIterator()
        try await provider.setUp()
        server.answer(.status(503))
        _ = try await pass(&sleeps)
        for longest in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            let wait = try await pass(&sleeps)
            #expect(wait >= .seconds(longest / 2) && wait <= .seconds(longest))
        }
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        #expect(
            lines.all == ["Remote: \(server.address()) responds with status 503: the server has an internal problem"])
        #expect(provider.problems.map(\.status) == [503])
        server.answer(.status(500))
        _ = try await pass(&sleeps)
        _ = try #require(await sleeps.next())
        #expect(lines.all.count == 2 && lines.all.last?.contains("500") == true)
        server.answer(.json(#"{"on": false}"#))
        try await provider.refresh()
        #expect(lines.all.last == "Remote: the server responds again" && lines.all.count == 3)
        #expect(provider.problems == [])
        await provider.tearDown()
    }

    @Test(arguments: [429, 503])
    func `a server that asks to be left alone is, for as long as it says`(_ status: Int) async throws {
        let server = try await RemoteServer { _ in .status(status, ["Retry-After": "900"]) }
        let provider = try RemoteProvider(server.address(), options: .by(clock))
        var sleeps = clock.sleeps.makeAsyncIterator()
        await #expect(throws: RemoteError.self) { try await provider.setUp() }
        #expect(try await pass(&sleeps) == .seconds(900))
        server.answer(.json("{}"))
        while try await pass(&sleeps) != .seconds(60) {}
        #expect(provider.status.origin == .server)
        await provider.tearDown()
    }

    @Test func `a time of the server's is measured by the server's clock`() async throws {
        let headers = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 09:04:37 GMT"]
        let server = try await RemoteServer { _ in .status(503, headers) }
        let provider = try RemoteProvider(server.address(), options: .by(clock))
        var sleeps = clock.sleeps.makeAsyncIterator()
        await #expect(throws: RemoteError.self) { try await provider.setUp() }
        #expect(await sleeps.next() == .seconds(900))
        await provider.tearDown()
    }

    @Test func `questions wait for one another, and those that wait are one`() async throws {
        let (permits, permit) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate(permits)
        let server = try await RemoteServer { _ in
            await gate.pass()
            return .json("{}")
        }
        let provider = try RemoteProvider(server.address(), options: .by(clock))
        var questions = server.questions.makeAsyncIterator()
        async let first: Void = provider.refresh()
        _ = await questions.next()
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 { group.addTask { try await provider.refresh() } }
            // All ten wait by the time that the first is answered: each took its place before it waited.
            for _ in 0..<12 { permit.yield() }
            try await group.waitForAll()
        }
        try await first
        await provider.tearDown()
        #expect(await gate.count <= 11)
    }

    @Test func `it ends when it is torn down, and begins anew when it is set up`() async throws {
        let server = try await RemoteServer { _ in .json(#"{"on": true}"#) }
        let provider = try RemoteProvider(server.address(), options: .by(clock))
        var (questions, sleeps) = (server.questions.makeAsyncIterator(), clock.sleeps.makeAsyncIterator())
        for _ in 0..<3 {
            try await provider.setUp()
            _ = await questions.next()
            _ = await sleeps.next()
            await provider.tearDown()
            await provider.tearDown()
        }
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        try await provider.refresh()
        _ = await questions.next()
        await provider.tearDown()
    }

    @Test func `one that is dropped without being torn down ends by itself`() async throws {
        let server = try await RemoteServer { _ in .json("{}") }
        var provider: RemoteProvider? = try RemoteProvider(server.address(), options: .by(clock))
        weak let dropped = provider
        var sleeps = clock.sleeps.makeAsyncIterator()
        try await provider?.setUp()
        _ = await sleeps.next()
        let updates = try #require(provider?.updates)
        provider = nil
        #expect(dropped == nil)
        // The store ends its streams when nothing holds it any more, the poller neither.
        for await _ in updates {}
    }

    @Test func `a token is got anew for each question, and one that is missing is told`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("token")
        let server = try await RemoteServer { _ in .json("{}") }
        var questions = server.questions.makeAsyncIterator()
        let provider = try RemoteProvider(
            server.address(), credential: .bearer(file: file), options: .by(clock))
        let missing = await #expect(throws: RemoteError.self) { try await provider.refresh() }
        #expect(missing?.description.contains(file.path) == true)
        for token in ["first", "second"] {
            try Data("  \(token)\n".utf8).write(to: file)
            try await provider.refresh()
            #expect(await questions.next()?["Authorization"] == "Bearer \(token)")
        }
        for bad in ["", " \n", "a b", "a\r\nX-Evil: 1", "tökén"] {
            try Data(bad.utf8).write(to: file)
            let error = await #expect(throws: RemoteError.self) { try await provider.refresh() }
            #expect(error?.description.contains("token") == true && error?.description.contains("Evil") == false)
        }
        await provider.tearDown()
        let closure = try RemoteProvider(server.address(), credential: .bearer { "third" })
        try await closure.refresh()
        #expect(await questions.next()?["Authorization"] == "Bearer third")
        await closure.tearDown()
    }
}

/// Lets one through for each permit.
private actor Gate {
    private var permits: AsyncStream<Void>.Iterator
    private(set) var count = 0

    init(_ permits: AsyncStream<Void>) { self.permits = permits.makeAsyncIterator() }

    func pass() async {
        count += 1
        var permits = permits
        _ = await permits.next(isolation: self)
    }
}
