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
            #expect("\(error)".hasSuffix("are followed no longer"))
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
        let updates = try #require(provider?.didUpdateValueForKey())
        provider = nil
        // The store ends its streams when nothing holds it any more: neither does what follows.
        for await _ in updates {}
        #expect(dropped == nil)
    }
}
