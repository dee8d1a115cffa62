import FeatureFlags
import Foundation
import TestClock
import Testing

@testable import FeatureFlagsRemote

@Suite("A provider of what is published to etcd", .timeLimit(.minutes(10)))
struct EtcdProviderTests {
    @Test func `one that is torn down before etcd has answered ends its setting up`() async throws {
        let silent = try await RemoteServer { _ in .silence }
        let provider = EtcdProvider(at: try EtcdAddress("etcd://127.0.0.1:\(silent.port)/flags"))
        async let settingUp: Void = provider.setUp()
        for await _ in silent.questions { break }
        await provider.tearDown()
        do {
            try await settingUp
            Issue.record("it is set up")
        } catch {
            #expect("\(error)".hasPrefix("no longer following the flags at"))
        }
    }

    @Test func `what a member tells of later than all was read is passed over, and told with what comes next`() throws {
        let provider = EtcdProvider(at: try EtcdAddress("etcd://127.0.0.1:1/flags"))
        let value = "/flags/values/Local/limit"
        func held(_ row: Int, _ number: Int) -> [String: EtcdHeld] {
            func kept(_ text: String) -> EtcdHeld { EtcdHeld(data: Data(text.utf8), created: 1, modified: Int64(row)) }
            return [
                "/flags/providers": kept(#"["Local"]"#), value: kept("\(number)"),
                "/flags/row": kept(#"{"filling":false,"hash":"ab","row":\#(row)}"#),
            ]
        }
        var (content, pending) = (EtcdContent(held(1, 1), EtcdLayout(prefix: "/flags")), Set<FlagKeyPath>())
        func tell(_ row: Int, _ number: Int) throws {
            let changes = held(row, number).map { (key: $0.key, held: Optional($0.value)) }
            try provider.take(
                EtcdWatch.Batch(revision: Int64(row), changes: changes), on: &content, of: "1", pending: &pending)
        }
        try provider.take(EtcdClient.Content(revision: 3, cluster: "1", values: held(3, 3)))
        try tell(2, 2)
        #expect(provider.lastRow == 3 && provider.problem == nil)
        #expect(try provider.storedValue(at: keyPath("limit")) == .integer(3))
        try tell(4, 4)
        #expect(provider.lastRow == 4)
        #expect(try provider.storedValue(at: keyPath("limit")) == .integer(4))
        #expect(throws: EtcdError.self) {
            try provider.take(EtcdClient.Content(revision: 5, cluster: "1", values: held(2, 2)))
        }
    }

    @Test func `one that is dropped without being torn down ends by itself`() async throws {
        let key = Data("/flags/row".utf8).base64EncodedString()
        let row = Data(#"{"filling":false,"hash":"ab","row":3}"#.utf8).base64EncodedString()
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let server = try await RemoteServer { question in
            guard question.path == "/v3/kv/range" else { return .events(lines) }
            let pair = #"{"key":"\#(key)","value":"\#(row)","create_revision":"7","mod_revision":"7"}"#
            return .json(#"{"header":{"revision":"7","cluster_id":"1"},"kvs":[\#(pair)]}"#)
        }
        line.yield(#"{"result":{"header":{"revision":"7"},"created":true}}"# + "\n")
        let clock = ManualClock()
        var provider: EtcdProvider? = EtcdProvider(
            name: "Published", at: try EtcdAddress("etcd://127.0.0.1:\(server.port)/flags"), access: EtcdAccess(),
            cache: nil, log: { _ in }, clock: clock, now: { Date() })
        weak let dropped = provider
        var sleeps = clock.sleeps.makeAsyncIterator()
        try await provider?.setUp()
        #expect(provider?.lastRow == 3)
        #expect(await sleeps.next() == EtcdProvider.heartbeat)
        let updates = try #require(provider?.updates)
        provider = nil
        // The store ends its streams when nothing holds it any more: neither does what follows.
        for await _ in updates {}
        #expect(dropped == nil)
    }
}
