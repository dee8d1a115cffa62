import Foundation
import Testing

@testable import FeatureFlagsRemote

@Suite("Members of etcd that fall silent")
struct EtcdClientTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"

    private static let key = Data("/flags/row".utf8).base64EncodedString()

    /// Asks members in turn, and closes the connections however it ends.
    private func asking<Answer: Sendable>(
        _ members: RemoteServer..., body: (EtcdClient) async throws -> Answer
    ) async throws -> Answer {
        let hosts = members.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        // Long enough for a sound one on a busy machine.
        let patience = Duration.seconds(10)
        let client = EtcdClient(
            try EtcdAddress("etcd://\(hosts)/flags"), EtcdAccess(), patience: patience, patienceInFull: patience)
        do {
            let answer = try await body(client)
            await client.close()
            return answer
        } catch {
            await client.close()
            throw error
        }
    }

    @Test(arguments: ["", head])
    func `one that does not answer, or stops in the middle of it, is left for the next one`(
        _ begun: String
    ) async throws {
        let silent = try await RemoteServer { _ in .stalled(Array(begun.utf8)) }
        let sound = try await RemoteServer { _ in
            .json(#"{"header":{"revision":"7"},"kvs":[{"key":"\#(Self.key)","value":"MQ==","mod_revision":"7"}]}"#)
        }
        let held = try await asking(silent, sound) { try await $0.value(of: "/flags/row") }
        #expect(held?.data == Data("1".utf8))
        #expect(silent.count(at: "/v3/kv/range") == 1)
    }

    @Test func `why one can't be asked is told in a clause`() async throws {
        let absent = try AbsentServer()
        let page = try await RemoteServer { _ in .json("[\"a page\"]") }
        for (address, problem) in [
            ("etcd://127.0.0.1:\(absent.port)/flags", ": connection refused"),
            ("etcds://127.0.0.1:\(page.port)/flags", "check whether the address should start with etcds"),
            ("etcd://127.0.0.1:\(page.port)/flags", "the response from 127.0.0.1:\(page.port) is not from etcd"),
        ] {
            let client = EtcdClient(try EtcdAddress(address), EtcdAccess(), patience: .seconds(10))
            let error = await #expect(throws: EtcdError.self) { try await client.value(of: "/flags/row") }
            await client.close()
            #expect(error?.description.hasSuffix(problem) == true, "\(error?.description ?? "none")")
        }
        withExtendedLifetime(absent) {}
    }

    @Test func `one that does not begin a watch is left for the next one`() async throws {
        let silent = try await RemoteServer { _ in .silence }
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let sound = try await RemoteServer { _ in .events(lines) }
        line.yield(#"{"result":{"header":{"revision":"7"},"created":true}}"# + "\n")
        line.yield(
            #"{"result":{"header":{"revision":"8"},"events":[{"kv":{"key":"\#(Self.key)","value":"Mg==","mod_revision":"8"}}]}}"#
                + "\n")
        try await asking(silent, sound) { client in
            var batches = try await client.watch("/flags/", from: 8).makeAsyncIterator()
            let batch = try await batches.next()
            #expect(batch?.revision == 8 && batch?.changes.map(\.key) == ["/flags/row"])
            line.finish()
            let error = await #expect(throws: EtcdError.self) { try await batches.next() }
            #expect(error?.description.contains("127.0.0.1:\(sound.port)") == true)
        }
        #expect(silent.count(at: "/v3/watch") == 1)
    }
}
