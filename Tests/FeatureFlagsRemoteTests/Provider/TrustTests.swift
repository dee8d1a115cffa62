import FeatureFlags
import FeatureFlagsRemote
import Foundation
import TestClock
import Testing

@Suite("Servers whose connections are encrypted")
struct TrustTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problem(_ certificate: Certificate, trusting authorities: URL?) async throws -> RemoteError? {
        let server = try await RemoteServer(certificate: certificate) { _ in .json(#"{"on": true}"#) }
        let provider = try RemoteProvider(
            server.address(), trust: RemoteTrust(authorities: authorities), options: .by(ManualClock()))
        defer { withExtendedLifetime(server) {} }
        do {
            try await provider.setUp()
        } catch let error as RemoteError {
            await provider.tearDown()
            return error
        }
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        await provider.tearDown()
        return nil
    }

    @Test func `one whose authority is trusted is asked`() async throws {
        let certificate = try Certificate(in: folder)
        #expect(try await problem(certificate, trusting: certificate.file) == nil)
    }

    @Test func `one that this machine doesn't trust is not asked`() async throws {
        let error = try #require(try await problem(Certificate(in: folder), trusting: nil))
        #expect(error.isUnreachable && error.description.contains("not trusted"))
    }

    @Test func `one of another authority is not asked`() async throws {
        let error = try #require(
            try await problem(Certificate(in: folder), trusting: Certificate(in: folder).file))
        #expect(error.description.contains("not trusted"))
    }

    @Test func `one whose certificate has expired is not asked`() async throws {
        let certificate = try Certificate(in: folder, days: -1)
        let error = try #require(try await problem(certificate, trusting: certificate.file))
        #expect(error.description.contains("is expired"))
    }

    @Test func `one whose certificate is for another name is not asked`() async throws {
        let certificate = try Certificate(in: folder, name: "IP:192.0.2.1")
        let error = try #require(try await problem(certificate, trusting: certificate.file))
        #expect(error.description.contains("for a different host"), "\(error)")
    }

    @Test func `one that does not encrypt is told as such`() async throws {
        let server = try await RemoteServer { _ in .json("{}") }
        let address = server.address().replacing("http:", with: "https:")
        let provider = try RemoteProvider(address, options: .by(ManualClock()))
        let error = await #expect(throws: RemoteError.self) { try await provider.setUp() }
        let problem = error?.description ?? ""
        #expect(
            problem.hasSuffix("it doesn't use TLS; check whether the address should start with https"),
            "\(problem)")
        await provider.tearDown()
    }
}
