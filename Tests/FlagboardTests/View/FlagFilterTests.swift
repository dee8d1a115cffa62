import FeatureFlags
import FlagChanges
import Testing

@testable import Flagboard

@Suite("Filter of flags")
struct FlagFilterTests {
    private func keys(_ query: [String: String]) -> [String] {
        FlagFilter(query: query).entries(of: Samples.view()).map(\.key.text)
    }

    @Test(
        "The search finds every word in the key, name, description, tags or group names",
        arguments: [
            ("wallet", ["checkout/payments/wallet"]), ("NEW checkout", ["checkout/new_flow"]),
            ("signing", ["blob"]), ("sécurity", ["blob"]), ("security key", ["blob"]), ("security retries", []),
            ("interface theme", ["ui/theme"]), ("  ", Samples.everything.entries.map(\.key.text)),
        ])
    func search(text: String, found: [String]) {
        #expect(keys(["q": text]) == found)
    }

    @Test(
        "Each state finds the flags that are in it",
        arguments: [
            ("on", ["checkout/new_flow", "checkout/payments/refunds"]), ("off", ["checkout/payments/wallet"]),
            ("overridden-on", ["checkout/new_flow"]), ("overridden-off", ["checkout/payments/wallet"]),
            ("no-value", ["ui/order"]), ("broken", ["limits/retries", "net/endpoint"]),
            ("locked", ["checkout/payments/refunds"]), ("restart", ["checkout/payments/wallet"]),
            ("undefined", ["left_over"]), ("expired", ["checkout/new_flow"]),
        ])
    func states(state: String, found: [String]) {
        #expect(keys(["state": state]) == found)
    }

    @Test("Overridden and default share all flags between them")
    func overriddenOrDefault() {
        let overridden = keys(["state": "overridden"])
        let byDefault = keys(["state": "default"])
        #expect(overridden.contains("ui/banner") && byDefault.contains("ui/order"))
        #expect(Set(overridden).isDisjoint(with: byDefault))
        #expect(overridden.count + byDefault.count == Samples.everything.entries.count)
    }

    @Test("A value of a provider that can't be changed is by default, and found by its source")
    func unchangeable() {
        let team = FixedProvider(name: "Team", isWritable: false, values: ["a": .bool(true), "b": .integer(7)])
        let local = FixedProvider(name: "local", values: ["b": .integer(8)])
        let entries = [("a", FlagType.bool), ("b", .integer)].map { key, type in
            Samples.entry(FlagDefinition(key: Samples.key(key), type: type), in: [local, team])
        }
        let view = Samples.view(Samples.catalogue(entries, providers: [local, team]))
        func keys(_ name: String, _ word: String) -> [String] {
            FlagFilter(query: [name: word]).entries(of: view).map(\.key.text)
        }
        #expect(keys("state", "overridden") == ["b"] && keys("state", "default") == ["a"])
        #expect(keys("state", "on") == ["a"] && keys("state", "overridden-on").isEmpty)
        #expect(keys("provider", "Team") == ["a"])
    }

    @Test(
        "Group, tag and source narrow the list",
        arguments: [
            (["group": "checkout/payments"], 2), (["group": "check"], 0), (["tag": "beta"], 2),
            (["tag": "beta", "state": "locked"], 1), (["provider": "overrides"], 2), (["provider": "default"], 7),
            (["type": "bool"], 3), (["type": "bool", "state": "on,locked"], 1), (["state": "locked,restart"], 0),
        ])
    func narrowing(query: [String: String], count: Int) {
        #expect(keys(query).count == count)
    }

    @Test(
        "The lists of groups have the addresses that each has by itself",
        arguments: [
            [:], ["q": "a b&c"], ["group": "ui", "provider": "local"],
            ["state": "on,locked", "type": "bool", "tag": "ä"],
            ["sort": "key", "view": "providers", "page": "3"], ["q": "x", "sort": "changed"],
        ])
    func groupAddresses(query: [String: String]) {
        let filter = FlagFilter(query: query)
        let groups = ["ui", "check out/pay&ments", "~1/ä", ""].compactMap { FlagKeyPath(text: $0) }
        #expect(groups.count == 4)
        #expect(filter.hrefs(ofGroups: groups) == groups.map { filter.with(.group, $0.text).href })
    }

    @Test("What is not valid is said, not ignored")
    func problems() {
        let filter = FlagFilter(query: ["state": "odd,on,off", "group": "a~2", "tag": "", "type": "odd", "sort": "odd"])
        #expect(filter.problems.count == 5)
        #expect(filter.isActive)
        #expect(FlagFilter(query: ["q": "", "state": ""]).isActive == false)
    }

    @Test("A filter's link reads back as the same filter")
    func link() {
        let filter = FlagFilter(
            text: "a&b", [.state: "on", .type: "bool", .tag: "ü", .group: "a~1b/c", .source: "local"],
            marks: [.restart, .locked], sort: .changed)
        #expect(
            filter.href
                == "/?q=a%26b&state=on%2Clocked%2Crestart&group=a~1b%2Fc&tag=%C3%BC&type=bool&provider=local&sort=changed"
        )
        let query = [
            "q": "a&b", "state": "on,locked,restart", "type": "bool", "tag": "ü", "group": "a~1b/c",
            "provider": "local", "sort": "changed",
        ]
        #expect(FlagFilter(query: query) == filter)
    }

    @Test(
        "A flag's link encodes each component",
        arguments: [
            ("ui/blue_text", "/flags/ui/blue_text"), ("a b/ü?#%", "/flags/a%20b/%C3%BC%3F%23%25"),
            ("a~1b/~0", "/flags/a~1b/~0"), ("a/../b", "/flags?key=a%2F..%2Fb"), ("a//b", "/flags?key=a%2F%2Fb"),
            ("", "/flags?key="),
        ])
    func flagLink(key: String, link: String) {
        #expect(PageLink.flag(Samples.key(key)) == link)
    }
}
