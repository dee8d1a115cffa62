import FeatureFlags
import FeatureFlagsRemote
import Foundation
import TestClock
import Testing

@Suite("Starting with a cache, and without a server")
struct StartingTests {
    private let folder: TemporaryFolder
    private let cache: URL
    private let lines = LogLines()
    private let absent: AbsentServer

    init() throws {
        absent = try AbsentServer()
        folder = try TemporaryFolder()
        cache = folder.file("flags.cache")
    }

    private func provider(
        _ address: String, shape: RemoteShape = .json, cache: URL? = nil, clock: ManualClock = ManualClock()
    ) throws -> RemoteProvider {
        try RemoteProvider(
            address, shape: shape, cache: cache ?? self.cache, options: .by(clock), log: lines.log)
    }

    /// The address of a server that is gone, with what it answered last in the cache.
    private func gone() throws -> String {
        let address = "http://127.0.0.1:\(absent.port)/flags.json"
        try ValuesCache(cache, maximumSize: 1000).write(
            ValuesCache.Entry(
                source: address, shape: "json", version: "\"1\"", time: Date(timeIntervalSince1970: 1_764_064_800),
                body: Data(#"{"on": true}"#.utf8)))
        return address
    }

    @Test func `with the server gone, the values are there as soon as the provider is made`() async throws {
        let address = try gone()
        let later = try provider(address)
        #expect(try later.storedValue(at: keyPath("on")) == true)
        #expect(later.status.origin == .cache)
        #expect(later.condition == "from the cache of 2025-11-25 10:00:00 UTC")
        try await later.setUp()
        #expect(try later.storedValue(at: keyPath("on")) == true)
        #expect(lines.all == ["Remote: \(address) can't be reached: connection refused"])
        await later.tearDown()
    }

    @Test func `setUp(timeout:) waits for no connection that is refused, where there is a cache`() async throws {
        let address = try gone()
        // The clock stands still, so that nothing but the refusal ends the wait.
        let later = try provider(address)
        let status = await later.setUp(timeout: .seconds(3600))
        #expect(status.origin == .cache && status.problems.map(\.isUnreachable) == [true])
        await later.tearDown()
    }

    @Test func `setUp(timeout:) without a cache waits for a server that starts, and takes its first answer`()
        async throws
    {
        let server = try await RemoteServer { _ in .status(503) }
        let clock = ManualClock()
        let provider = try provider(server.address(), clock: clock)
        var sleeps = clock.sleeps.makeAsyncIterator()
        async let status = provider.setUp(timeout: .seconds(3600))
        var waits = [try #require(await sleeps.next()), try #require(await sleeps.next())].sorted()
        for _ in 0..<3 {
            clock.advance(by: waits[0])
            waits[0] = try #require(await sleeps.next())
        }
        server.answer(.json(#"{"on": true}"#))
        clock.advance(by: waits[0])
        #expect(await status.origin == .server)
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        await provider.tearDown()
    }

    @Test func `setUp(timeout:) ends when its time has passed, with nothing where there is nothing`() async throws {
        let server = try await RemoteServer { _ in .silence }
        let clock = ManualClock()
        let provider = try provider(server.address(), clock: clock)
        var sleeps = clock.sleeps.makeAsyncIterator()
        async let status = provider.setUp(timeout: .seconds(2))
        #expect(await sleeps.next() == .seconds(2))
        clock.advance(by: .seconds(2))
        #expect(await status.origin == .nothing)
        #expect(provider.condition == "not read yet")
        await provider.tearDown()
    }

    @Test func `setUp() without a cache throws why there is no answer, and asks again all the same`() async throws {
        let server = try await RemoteServer { _ in .status(503) }
        let clock = ManualClock()
        let provider = try provider(server.address(), clock: clock)
        var sleeps = clock.sleeps.makeAsyncIterator()
        let error = await #expect(throws: RemoteError.self) { try await provider.setUp() }
        #expect(error?.status == 503)
        var updates = try #require(provider.updates).makeAsyncIterator()
        server.answer(.json(#"{"on": true}"#))
        clock.advance(by: try #require(await sleeps.next()))
        #expect(await updates.next()?.keys == [keyPath("on")])
        await provider.tearDown()
    }

    @Test func `the cache's ETag is asked with, and 304 makes its values the server's`() async throws {
        let server = try await RemoteServer { question in
            question["If-None-Match"] == "\"1\"" ? .status(304) : .json(#"{"on": true}"#, tag: "\"1\"")
        }
        var questions = server.questions.makeAsyncIterator()
        for isKnown in [false, true] {
            let provider = try provider(server.address())
            try await provider.setUp()
            #expect(await questions.next()?["If-None-Match"] == (isKnown ? "\"1\"" : nil))
            #expect(provider.status.origin == .server && provider.status.confirmedTime != nil)
            #expect(try provider.storedValue(at: keyPath("on")) == true)
            await provider.tearDown()
        }
    }

    @Test func `a change is told once the cache keeps it`() async throws {
        let server = try await RemoteServer { _ in .json(#"{"on": true}"#) }
        let provider = try provider(server.address())
        try await provider.setUp()
        var updates = try #require(provider.updates).makeAsyncIterator()
        server.answer(.json(#"{"on": false}"#))
        try await provider.refresh()
        _ = await updates.next()
        // Another provider of the same file, as after a start, finds what was told.
        let address = server.address()
        try await server.close()
        let later = try self.provider(address)
        #expect(try later.storedValue(at: keyPath("on")) == false)
        await provider.tearDown()
    }

    @Test func `where the cache can't be written, it is told, and the values are in force`() async throws {
        let file = folder.file("no folder")
        try Data("x".utf8).write(to: file)
        let cache = file.appendingPathComponent("flags.cache")
        let server = try await RemoteServer { question in
            question["If-None-Match"] == nil ? .json(#"{"on": true}"#, tag: "\"1\"") : .status(304)
        }
        let provider = try provider(server.address(), cache: cache)
        try await provider.setUp()
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        server.answer { question in
            question["If-None-Match"] == nil ? .json(#"{"on": false}"#, tag: "\"2\"") : .status(304)
        }
        try await provider.refresh()
        #expect(try provider.storedValue(at: keyPath("on")) == false)
        #expect(lines.all.count == 1 && lines.all[0].contains("can't be saved for the next start"))
        #expect(provider.problems.count == 1 && provider.condition?.contains(cache.path) == true)
        // Once it can be, it is written, though the answer is the same.
        try FileManager.default.removeItem(at: file)
        try await provider.refresh()
        #expect(provider.problems == [] && lines.all.last == "Remote: values are saved again")
        #expect(FileManager.default.fileExists(atPath: cache.path))
        await provider.tearDown()
    }

    @Test func `the same answer again writes nothing`() async throws {
        let server = try await RemoteServer { _ in .json(#"{"on": true}"#) }
        let provider = try provider(server.address())
        try await provider.setUp()
        try FileManager.default.removeItem(at: cache)
        try await provider.refresh()
        #expect(!FileManager.default.fileExists(atPath: cache.path))
        server.answer(.json(#"{"on": true} "#))
        try await provider.refresh()
        #expect(FileManager.default.fileExists(atPath: cache.path))
        await provider.tearDown()
    }

    @Test(arguments: ["torn", "foreign", "shape", "other"])
    func `a cache that is torn or another one's is told and passed over, and replaced by the next answer`(
        _ fault: String
    ) async throws {
        let address = try gone()
        switch fault {
        case "torn": try Data(contentsOf: cache).dropLast(3).write(to: cache)
        case "other": try Data(#"{"on": true}"#.utf8).write(to: cache)
        default: break
        }
        let server = try await RemoteServer { _ in .status(503) }
        let shape = fault == "shape" ? RemoteShape.json(at: ["config"]) : .json
        let provider = try provider(fault == "foreign" ? server.address() : address, shape: shape)
        #expect(try provider.storedValue(at: keyPath("on")) == nil)
        #expect(provider.status.origin == .nothing)
        #expect(provider.problems.count == 1 && lines.all == ["Remote: \(provider.problems[0])"])
        #expect(lines.all[0].contains(cache.path) && lines.all[0].contains("ignored"))
        guard fault == "foreign" else { return }
        server.answer(.json(#"{"on": false}"#))
        try await provider.setUp()
        #expect(provider.problems == [])
        await provider.tearDown()
        #expect(try self.provider(server.address()).storedValue(at: keyPath("on")) == false)
    }

    @Test func `a cache from the future is used`() async throws {
        let server = try await RemoteServer { _ in .json(#"{"on": true}"#) }
        var options = RemoteProvider.Options.by(ManualClock())
        options.now = { Date(timeIntervalSince1970: 4_000_000_000) }
        let ahead = try RemoteProvider(server.address(), cache: cache, options: options)
        try await ahead.setUp()
        await ahead.tearDown()
        let later = try provider(server.address())
        #expect(try later.storedValue(at: keyPath("on")) == true)
        #expect(later.condition == "from the cache of 2096-10-02 07:06:40 UTC")
    }

    @Test func `explain() says where the values are from, since when, and what is wrong`() async throws {
        let server = try await RemoteServer { _ in .json(#"{"on": true}"#) }
        let provider = try provider(server.address())
        let flags = FlagsLoader(OneFlag.self, providers: [provider])
        #expect(flags.$on.explain().description.contains("  Remote: no value (not read yet)\n"))
        try await provider.setUp()
        #expect(
            flags.$on.explain().description
                == """
                on: boolean true, from Remote
                  Remote: boolean true (from the server, as of 2025-11-25 10:00:00 UTC)
                  default: boolean false
                """)
        server.answer(.status(503))
        await #expect(throws: RemoteError.self) { try await provider.refresh() }
        #expect(
            flags.$on.explain().conditions["Remote"]
                == "from the server, as of 2025-11-25 10:00:00 UTC; \(server.address()) responds with status 503: the server has an internal problem, since 2025-11-25 10:00:00 UTC"
        )
        #expect(ReadOnlyProvider(provider).condition == provider.condition)
        await provider.tearDown()
    }
}
