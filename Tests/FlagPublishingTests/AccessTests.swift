import Foundation
import Testing

@testable import FeatureFlagsRemote
@testable import FlagPublishing

@Suite("Who may publish to etcd, and read there", .enabled(if: Program.etcd.isThere))
struct AccessTests {
    @Test func `a user signs in with a password, and again once the sign-in counts no more`() async throws {
        let etcd = try await EtcdServer()
        try await Etcdctl.run(etcd, "user", "add", "root", "--new-user-password", "s3cret")
        try await Etcdctl.run(etcd, "user", "grant-role", "root", "root")
        try await Etcdctl.run(etcd, "auth", "enable")
        let served = try Served()
        let password = served.folder.appending(path: "password")
        try Data("s3cret\n".utf8).write(to: password)
        let access = EtcdAccess(user: "root", password: password)
        try served.publish(to: etcd.address(), access: access)
        try await served.set("checkout/limit", "1")
        let reader = EtcdProvider(at: try etcd.address(), access: access)
        await reader.setUp(timeout: .zero)
        try await reader.wait { try $0.integer("checkout/limit") == 1 }
        // An etcd that is started again knows of no sign-in.
        etcd.kill()
        try await etcd.start()
        try await served.set("checkout/limit", "2")
        try await reader.wait { try $0.integer("checkout/limit") == 2 }
        await reader.tearDown()
    }

    @Test func `tokens that etcd signs are got anew where its users have changed`() async throws {
        let certificates = try Certificates()
        let (publicKey, privateKey) = try certificates.makeKeys("tokens")
        let etcd = try await EtcdServer([
            "--auth-token", "jwt,pub-key=\(publicKey.path),priv-key=\(privateKey.path),sign-method=RS256,ttl=10m",
        ])
        try await Etcdctl.run(etcd, "user", "add", "root", "--new-user-password", "s3cret")
        try await Etcdctl.run(etcd, "user", "grant-role", "root", "root")
        try await Etcdctl.run(etcd, "auth", "enable")
        let served = try Served()
        let password = served.folder.appending(path: "password")
        try Data("s3cret\n".utf8).write(to: password)
        let access = EtcdAccess(user: "root", password: password)
        try served.publish(to: etcd.address(), access: access)
        try await served.set("checkout/limit", "1")
        let reader = EtcdProvider(at: try etcd.address(), access: access)
        await reader.setUp(timeout: .zero)
        try await reader.wait { try $0.integer("checkout/limit") == 1 }
        try await Etcdctl.run(etcd, "--user", "root:s3cret", "user", "add", "other", "--new-user-password", "s3cret")
        try await served.set("checkout/limit", "2")
        try await reader.wait { try $0.integer("checkout/limit") == 2 }
        await reader.tearDown()
    }

    @Test func `a wrong password and none are told`() async throws {
        let etcd = try await EtcdServer()
        try await Etcdctl.run(etcd, "user", "add", "root", "--new-user-password", "s3cret")
        try await Etcdctl.run(etcd, "user", "grant-role", "root", "root")
        try await Etcdctl.run(etcd, "auth", "enable")
        let served = try Served()
        let password = served.folder.appending(path: "password")
        try Data("wrong".utf8).write(to: password)
        for (access, problem) in [
            (EtcdAccess(user: "root", password: password), "authentication failed"),
            (EtcdAccess(), "user name is empty"),
            (EtcdAccess(user: "root", password: served.folder.appending(path: "none")), "can't read"),
        ] {
            let reader = EtcdProvider(at: try etcd.address(), access: access)
            let error = await #expect(throws: EtcdError.self) { try await reader.setUp() }
            #expect(error?.description.contains(problem) == true, "\(error?.description ?? "none")")
            await reader.tearDown()
        }
    }

    @Test func `connections are encrypted, and both sides show certificates`() async throws {
        let certificates = try Certificates()
        let etcd = try await EtcdServer([
            "--cert-file", certificates.certificate("server").path, "--key-file", certificates.key("server").path,
            "--client-cert-auth", "--trusted-ca-file", certificates.certificate("authority").path,
        ])
        let trust = try RemoteTrust(
            authorities: certificates.certificate("authority"), certificate: certificates.certificate("client"),
            key: certificates.key("client"))
        let served = try Served()
        try served.publish(to: etcd.address(), access: EtcdAccess(trust: trust))
        try await served.set("checkout/limit", "1")
        let reader = EtcdProvider(at: try etcd.address(), access: EtcdAccess(trust: trust))
        await reader.setUp(timeout: .zero)
        try await reader.wait { try $0.integer("checkout/limit") == 1 }
        await reader.tearDown()
        for stranger in [
            try RemoteTrust(authorities: certificates.certificate("authority")),
            try RemoteTrust(
                authorities: certificates.certificate("other"), certificate: certificates.certificate("client"),
                key: certificates.key("client")),
            .system,
        ] {
            let reader = EtcdProvider(at: try etcd.address(), access: EtcdAccess(trust: stranger))
            await #expect(throws: EtcdError.self) { try await reader.setUp() }
            #expect(try reader.integer("checkout/limit") == nil)
            await reader.tearDown()
        }
    }
}
