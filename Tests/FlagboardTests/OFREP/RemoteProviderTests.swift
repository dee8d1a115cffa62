import FeatureFlags
import FeatureFlagsRemote
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

@Suite("An app that reads its flags from a server")
struct RemoteProviderTests {
    /// Serves two flags, and has a provider follow them.
    private func follow(
        _ provider: @escaping @Sendable (_ address: String) throws -> RemoteProvider,
        _ body: @escaping @Sendable (RemoteProvider, any TestClientProtocol) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dashboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appending(path: "flags.xml")
        let values = """
            <dict><key>delivery</key><dict><key>fee</key><real>3.5</real></dict><key>modes</key><array><string>a</string></array>
            </dict>
            """
        try Data(DashboardFixture.plist(values).utf8).write(to: file)
        let hosts = HostAllowList()
        let dashboard = try Dashboard(
            service: ChangeService(files: FlagFiles(values: file)),
            access: .open(as: Dashboard.Person(name: "ada", role: .editor)), hosts: hosts)
        try await Application(router: dashboard.router(logger: Logger(label: "test"))).test(.live) { client in
            let port = try #require(client.port)
            hosts.allow(host: "127.0.0.1", port: port)
            // What the test asks by names no port.
            hosts.allow(host: "localhost", port: 80)
            let provider = try provider("http://127.0.0.1:\(port)")
            try await provider.setUp()
            #expect(provider.problems == [])
            try await body(provider, client)
            await provider.tearDown()
        }
    }

    private static let fee = FlagKeyPath(components: ["delivery", "fee"])

    /// Changes the fee, which the provider is told of by the stream of events.
    private static func expectChange(_ provider: RemoteProvider, _ client: any TestClientProtocol) async throws {
        #expect(try provider.storedValue(at: fee) == 3.5)
        #expect(try provider.storedValue(at: FlagKeyPath(components: ["modes"])) == ["a"])
        var updates = try #require(provider.updates).makeAsyncIterator()
        let answer = try await client.execute(
            uri: "/api/v1/flags/delivery/fee", method: .put,
            headers: [.contentType: "application/json", .ifMatch: "*"], body: ByteBuffer(string: #"{"value": 4.5}"#))
        try #require(answer.status == .ok, "\(String(buffer: answer.body))")
        #expect(await updates.next()?.keys == [fee])
        #expect(try provider.storedValue(at: fee) == 4.5)
    }

    @Test("By OpenFeature's protocol, it follows the stream that the answers name")
    func evaluations() async throws {
        try await follow({ try RemoteProvider($0, shape: .ofrep) }, Self.expectChange)
    }

    @Test("By the export of the values file, it follows the stream of changes")
    func export() async throws {
        try await follow(
            { address in
                var options = RemoteProvider.Options()
                options.events = .at("/events")
                return try RemoteProvider("\(address)/api/v1/export/flags.xml", shape: .propertyList, options: options)
            }, Self.expectChange)
    }
}
