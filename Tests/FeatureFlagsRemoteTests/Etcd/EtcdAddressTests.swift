import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsRemote

@Suite("Addresses and keys of etcd")
struct EtcdAddressTests {
    @Test(arguments: [
        ("etcd://127.0.0.1:2379/flags", ["127.0.0.1:2379"], "/flags", false),
        ("etcd://a,b:1,[::1]:2380/x/y/", ["a:2379", "b:1", "[::1]:2380"], "/x/y", false),
        ("etcds://etcd.example.org/über", ["etcd.example.org:2379"], "/über", true),
    ])
    func `an address names members and a prefix`(
        _ text: String, _ members: [String], _ prefix: String, _ isEncrypted: Bool
    ) throws {
        let address = try EtcdAddress(text)
        #expect(address.members.map(\.description) == members)
        #expect(address.prefix == prefix)
        #expect(address.isEncrypted == isEncrypted)
        #expect(try EtcdAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "127.0.0.1:2379/flags", "http://127.0.0.1/flags", "etcd://127.0.0.1:2379", "etcd://127.0.0.1:2379/",
        "etcd:///flags", "etcd://a,,b/flags", "etcd://a:0/flags", "etcd://a:70000/flags", "etcd://root:pw@a/flags",
        "etcd://a b/flags", "etcd://a/flags\n", "etcd://a:99999999999999999999/x",
    ])
    func `what is no address is refused`(_ text: String) {
        #expect(throws: RemoteError.self) { try EtcdAddress(text) }
    }

    @Test func `keys of values and definitions say what they are of`() {
        let layout = EtcdLayout(prefix: "/flags")
        let key = FlagKeyPath(components: ["a/b", "c~d", "e"])
        #expect(layout.value(of: "Team/x", at: key) == "/flags/values/Team~1x/a~1b/c~0d/e")
        #expect(layout.place(of: layout.value(of: "Team/x", at: key)) == .value(provider: "Team/x", key))
        #expect(layout.place(of: layout.definition(of: key)) == .definition(key))
        #expect(layout.place(of: layout.row) == .row)
        #expect(layout.place(of: layout.providers) == .providers)
        for other in ["/flags", "/flagsrow", "/flags/", "/flags/values/Team", "/flags/else/a", "/flags/rows"] {
            #expect(layout.place(of: other) == nil)
        }
    }

    @Test(arguments: ["", "7", "{}", "{\"row\":\"7\",\"hash\":\"\"}", "<html>"])
    func `what is no row is refused`(_ text: String) {
        #expect(throws: EtcdError.self) { try EtcdRow(data: Data(text.utf8)) }
    }

    @Test func `a row is read as it is written`() throws {
        for row in [EtcdRow(row: 7, hash: "ab"), EtcdRow(row: .max, hash: "", isFilling: true)] {
            #expect(try EtcdRow(data: Data(row.text.utf8)) == row)
        }
    }
}
