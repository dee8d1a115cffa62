import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Testing

@testable import Flagboard

@Suite("The stream of events", .timeLimit(.minutes(10)))
struct EventStreamTests {
    private static let bob = ChangeAuthor(name: "bob", role: .admin, origin: .api)

    private static func fixture() throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer><key>secret</key><integer>3</integer>",
            flags: [
                DashboardFixture.flag("count", "integer"),
                DashboardFixture.flag("secret", "integer", "<key>isInternal</key><true/>"),
            ])
    }

    private static func request(_ fields: String = "", path: String = "/events") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    /// Sets the flag `count`.
    @discardableResult
    private static func set(_ value: Int, in fixture: DashboardFixture, reason: String = "") async throws -> Int64 {
        let change = Change(key: Samples.key("count"), action: .setText("\(value)"), reason: reason)
        guard case .applied(let record) = try await fixture.service.apply(change, by: bob) else {
            throw WireClosed(received: "nothing changed")
        }
        return record.id
    }

    /// Serves a fixture's dashboard, with streams that are silent for hardly any time unless others are given.
    private static func serve(
        _ fixture: DashboardFixture, _ streams: EventStreams = EventStreams(),
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let dashboard = fixture.dashboard
        _ = dashboard.states.value { streams }
        let router = dashboard.router(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withServer(router, ConnectionLimits(), body)
    }

    @Test("A change is told as it is made, with who made it and how, but no value and no reason")
    func told() async throws {
        let fixture = try Self.fixture()
        try await Self.serve(fixture) { [service = fixture.service] port in
            try await Wire.open(port) { wire in
                try await wire.send(Self.request())
                let start = try await wire.receive(until: EventText.heartbeat)
                #expect(start.hasPrefix("HTTP/1.1 200 ") && start.contains("\r\nCache-Control: no-store\r\n"))
                #expect(start.contains("\r\nContent-Type: text/event-stream\r\n"))
                let change = Change(key: Samples.key("count"), action: .setText("4711"), reason: "because")
                guard case .applied(let record) = try await service.apply(change, by: Self.bob) else {
                    Issue.record("nothing changed")
                    return
                }
                let event = try await wire.receive(until: "}\n\n")
                #expect(event.contains("id: \(record.id)\nevent: flag-changed\ndata: {\"actor\":\"bob\","))
                #expect(event.contains("\"key\":\"count\",\"kind\":\"set\",\"origin\":\"api\",\"provider\":\"Local\"}"))
                #expect(!event.contains("4711") && !event.contains("because"))
            }
        }
    }

    @Test("An edit by another program is told, once somebody looks")
    func outside() async throws {
        let fixture = try Self.fixture()
        let (file, service) = (fixture.file, fixture.service)
        try await Self.serve(fixture) { port in
            try await Wire.open(port) { wire in
                try await wire.send(Self.request())
                _ = try await wire.receive(until: EventText.heartbeat)
                try Data(DashboardFixture.plist("<dict><key>count</key><integer>9</integer></dict>").utf8).write(
                    to: file)
                _ = try await service.overview()
                let event = try await wire.receive(until: "}\n\n")
                #expect(event.contains("\"kind\":\"external\"") && event.contains("\"key\":\"count\""))
                #expect(!event.contains("secret"))
            }
        }
    }

    @Test(
        "After a break, exactly the rows that were missed are told",
        arguments: [("Last-Event-ID: 1\r\n", "/events?after=0"), ("", "/events?after=1")])
    func resumed(field: String, path: String) async throws {
        let fixture = try Self.fixture()
        for value in 4...6 { try await Self.set(value, in: fixture) }
        try await Self.serve(fixture) { port in
            try await Wire.open(port) { wire in
                try await wire.send(Self.request(field, path: path))
                let events = try await wire.receive(until: "id: 3")
                #expect(events.contains("id: 2\n") && !events.contains("id: 1\n"))
            }
        }
    }

    @Test(
        "A listener whose last row is not in this history, or none, is told to load anew", arguments: ["9", "x", "-1"])
    func unknownRow(last: String) async throws {
        let fixture = try Self.fixture()
        try await Self.set(4, in: fixture)
        var source = try await EventSource(fixture.service, after: last)
        #expect(try await source.next() == EventText.reload(upTo: 1))
        #expect(try await source.next() == "")
    }

    @Test("More rows than are told one by one are told as one word to load anew")
    func manyRows() async throws {
        let fixture = try Self.fixture()
        var source = try await EventSource(fixture.service, after: "0")
        let values = (0...EventSource.maximumRows).map { "<key>k\($0)</key><integer>1</integer>" }.joined()
        try Data(DashboardFixture.plist("<dict>\(values)</dict>").utf8).write(to: fixture.file)
        let rows = try await fixture.service.overview().lastRow
        #expect(try await source.next() == EventText.reload(upTo: try #require(rows)))
    }

    @Test("Nothing is told of internal flags")
    func internalFlags() async throws {
        let fixture = try Self.fixture()
        var source = try await EventSource(fixture.service, after: "0")
        let values = "<dict><key>count</key><integer>3</integer><key>secret</key><integer>8</integer></dict>"
        try Data(DashboardFixture.plist(values).utf8).write(to: fixture.file)
        #expect(try await source.next() == "")
        #expect(try fixture.rows().map(\.event.key.text) == ["secret"])
        try await Self.set(5, in: fixture)
        #expect(try await source.next().contains("id: 2\nevent: flag-changed\n"))
    }

    @Test("That a flag has become internal is told at once, without a word of which")
    func becomesInternal() async throws {
        let fixture = try DashboardFixture(
            "<key>shop</key><dict><key>count</key><integer>3</integer></dict><key>other</key><integer>3</integer>",
            flags: [DashboardFixture.flag("shop/count", "integer"), DashboardFixture.flag("other", "integer")])
        try await Self.serve(fixture) { [service = fixture.service, manifest = fixture.manifest] port in
            try await Wire.open(port) { wire in
                try await wire.send(Self.request())
                _ = try await wire.receive(until: EventText.heartbeat)
                let set = Change(key: Samples.key("other"), action: .setText("5"))
                _ = try await service.apply(set, by: Self.bob)
                _ = try await wire.receive(until: "id: 1\n")
                let text = try String(contentsOf: manifest, encoding: .utf8)
                let name = "<key>key</key><string>shop/count</string>"
                try Data(text.replacing(name, with: name + "<key>isInternal</key><true/>").utf8).write(to: manifest)
                _ = try await service.overview()
                let told = try await wire.receive(until: "\n\n")
                #expect(told.contains(EventText.reload(upTo: 2)) && !told.contains("shop"), "\(told)")
            }
        }
        var late = try await EventSource(fixture.service, after: "0")
        let told = try await late.next()
        #expect(told.contains("id: 1\nevent: flag-changed\n") && told.hasSuffix(EventText.reload(upTo: 2)))
        #expect(!told.contains("shop"))
    }

    @Test("A refused attempt is told as a row of the history, which changed no flag")
    func denied() async throws {
        let fixture = try Self.fixture()
        var source = try await EventSource(fixture.service, after: "0")
        let viewer = ChangeAuthor(name: "vic", role: .viewer, origin: .form)
        await #expect(throws: ChangeError.self) {
            _ = try await fixture.service.apply(Change(key: Samples.key("count"), action: .reset), by: viewer)
        }
        #expect(try await source.next().contains("id: 1\nevent: history\ndata: {\"actor\":\"vic\""))
    }

    @Test("A row is told once the flags are shown with it, and no sooner")
    func underWay() async throws {
        let (recorded, isRecorded) = AsyncStream.makeStream(of: Void.self)
        let rest = DispatchSemaphore(value: 0)
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer>",
            adjust: { options in
                options.recorded = { _ in
                    isRecorded.yield()
                    rest.wait()
                }
            })
        let service = fixture.service
        async let change = Self.set(4, in: fixture)
        defer { rest.signal() }
        for await _ in recorded { break }
        var before = try await EventSource(service, after: "0")
        var connecting = try await EventSource(service, after: nil)
        #expect(try await before.next() == "")
        #expect(try await connecting.next() == "")
        rest.signal()
        #expect(try await change == 1)
        for var source in [before, connecting] {
            #expect(try await source.next().contains("id: 1\nevent: flag-changed\n"))
            #expect(try await source.next() == "")
        }
    }

    @Test("That a file can't be read any more, or can again, is told")
    func standing() async throws {
        let fixture = try Self.fixture()
        var source = try await EventSource(fixture.service, after: nil)
        #expect(try await source.next() == "")
        let sound = try Data(contentsOf: fixture.file)
        try Data("<plist".utf8).write(to: fixture.file)
        #expect(try await source.next() == EventText.standing)
        #expect(try await source.next() == "")
        try sound.write(to: fixture.file)
        #expect(try await source.next() == EventText.standing)
    }

    @Test("What came or went between a page and its stream is told first")
    func standingOfPage() async throws {
        let fixture = try Self.fixture()
        let sound = StatusFingerprint(try await fixture.service.overview())
        try Data("<plist".utf8).write(to: fixture.file)
        var source = try await EventSource(fixture.service, after: "0", standing: sound)
        #expect(try await source.next() == EventText.standing)
        #expect(try await source.next() == "")
        let broken = StatusFingerprint(try await fixture.service.overview())
        var other = try await EventSource(fixture.service, after: "0", standing: broken)
        #expect(try await other.next() == "")
    }

    @Test("Line ends and quotation marks in a key path begin no other event")
    func hostileKey() async throws {
        let fixture = try DashboardFixture("<key>a&#10;id: 9&#10;event: x\"</key><integer>3</integer>")
        var source = try await EventSource(fixture.service, after: "0")
        let key = FlagKeyPath(components: ["a\nid: 9\nevent: x\""])
        _ = try await fixture.service.apply(Change(key: key, action: .setText("4")), by: Self.bob)
        let text = try await source.next()
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.contains("\"key\":\"a\\nid: 9\\nevent: x\\\"\""))
    }

    @Test("Each person has some streams, and all together have some more; one that ends leaves its place")
    func places() throws {
        let streams = EventStreams(maximum: 3, maximumForOne: 2)
        var places = [try streams.enter("ada"), try streams.enter("ada")]
        #expect { try streams.enter("ada") } throws: { ($0 as? RequestError)?.status == .tooManyRequests }
        places.append(try streams.enter("bob"))
        #expect { try streams.enter("bob") } throws: { ($0 as? RequestError)?.status == .serviceUnavailable }
        places.removeFirst()
        #expect(streams.count == 2)
        places.append(try streams.enter("ada"))
        places.removeAll()
        #expect(streams.count == 0)
    }

    @Test("Where all places are taken, a person with fewer gets one of those of the person with the most, and no other")
    func shares() async throws {
        let streams = EventStreams(maximum: 4, maximumForOne: 4)
        var places = try (1...4).map { _ in try streams.enter("ada") }
        #expect { try streams.enter("ada") } throws: { ($0 as? RequestError)?.status == .tooManyRequests }
        places.append(try streams.enter("bob"))
        places.append(try streams.enter("bob"))
        // Both have two.
        for person in ["ada", "bob"] {
            #expect { try streams.enter(person) } throws: { ($0 as? RequestError)?.status == .serviceUnavailable }
        }
        places.append(try streams.enter("eve"))
        #expect(streams.count == 4)
        for place in places { place.wake.yield() }
        var isOpen: [Bool] = []
        for place in places {
            var wakes = place.wakes.makeAsyncIterator()
            isOpen.append(await wakes.next() != nil)
        }
        #expect(isOpen.prefix(4) == [true, true, false, false] || isOpen.prefix(4) == [true, false, false, false])
        #expect(isOpen.count { $0 } == 4 && isOpen.last == true)
        places.removeAll()
        #expect(streams.count == 0)
    }

    @Test("What keeps a stream from beginning is told to programs as a problem document, whatever they ask for")
    func problems() async throws {
        let fixture = try Self.fixture()
        for accept in ["text/event-stream", "*/*", "text/html"] {
            let answer = try await fixture.ask(.get, "/events?after=%FF", [.accept: accept])
            #expect(answer.status == 400)
            #expect(answer.headers[.contentType]?.hasPrefix("application/problem+json") == true)
            #expect(answer.body.contains("\"status\":400"))
        }
    }

    @Test("A listener that goes leaves its place at once, and one too many is refused")
    func goes() async throws {
        let fixture = try Self.fixture()
        let streams = EventStreams(maximumForOne: 1)
        try await Self.serve(fixture, streams) { port in
            try await Wire.open(port) { wire in
                try await wire.send(Self.request())
                _ = try await wire.receive(until: EventText.heartbeat)
                try await Wire.open(port) { second in
                    try await second.send(Self.request())
                    let refused = try await second.receive(until: "}")
                    #expect(refused.hasPrefix("HTTP/1.1 429 ") && refused.contains("\r\nRetry-After: 30\r\n"))
                    #expect(refused.contains("\r\nContent-Type: application/problem+json"))
                }
            }
            while streams.count > 0 { await Task.yield() }
            try await Wire.open(port) { wire in
                try await wire.send(Self.request())
                _ = try await wire.receive(until: EventText.heartbeat)
            }
        }
    }

    @Test("To look at the head of the stream takes no place")
    func head() async throws {
        let fixture = try Self.fixture()
        #expect(try await fixture.ask(.head, "/events").status == 200)
        #expect(fixture.dashboard.eventStreams.count == 0)
    }

    @Test("A stream ends as a whole one when the server does")
    func serverEnds() async throws {
        let fixture = try Self.fixture()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: String.self) { tasks in
            let (ports, found) = AsyncStream.makeStream(of: Int.self)
            tasks.addTask {
                for await port in ports {
                    return try await Wire.open(port) { wire in
                        try await wire.send(Self.request())
                        _ = try await wire.receive(until: EventText.heartbeat)
                        begin.yield()
                        return try await wire.rest()
                    }
                }
                return "no server"
            }
            try await Self.serve(fixture) { port in
                found.yield(port)
                for await _ in begun { break }
            }
            #expect(try await tasks.next()?.hasSuffix("0\r\n\r\n") == true)
        }
    }
}
