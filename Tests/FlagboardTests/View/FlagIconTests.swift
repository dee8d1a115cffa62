import FeatureFlags
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Icons of flags")
struct FlagIconTests {
    @Test(
        "A name of an SF Symbol has the symbol that it begins with",
        arguments: [
            ("cart", "cart"), ("cart.badge.plus", "cart"), ("bag.fill", "cart"), ("Bell.Slash", "bell"),
            ("arrow.clockwise.circle", "repeat"), ("arrow.up", "arrow"),
        ])
    func names(_ name: String, _ symbol: String) {
        #expect(FlagIcon.symbol(named: name) == symbol)
    }

    @Test("An unknown name, and no name, have the symbol of the type", arguments: [nil, "", "nonsense.fill"])
    func types(_ name: String?) {
        for type in FlagType.allCases {
            let definition = FlagDefinition(
                key: FlagKeyPath(components: ["x"]), type: type, metadata: FlagMetadata(uiIcon: name))
            #expect(FlagIcon.symbol(of: definition) == "type-\(type.rawValue)")
            #expect(FlagIcon.symbol(named: "type-\(type.rawValue)") != nil, "The sprite has each type")
        }
    }

    @Test("Rows and pages show the symbol from the file that has it")
    func shown() async throws {
        let fixture = try DashboardFixture(
            "", flags: [DashboardFixture.flag("a", "bool", "<key>icon</key><string>cart.fill</string>")])
        for path in ["/", "/flags/a"] {
            #expect(try await fixture.get(path).body.contains("/icons.svg#cart\"/></svg>"))
        }
        let grouped = try DashboardFixture(
            "", flags: ["a/x", "b/x"].map { DashboardFixture.flag($0, "bool", "") },
            collections: [("a", "bell.badge"), ("b", "no.such")].map { key, icon in
                "<dict><key>key</key><string>\(key)</string><key>icon</key><string>\(icon)</string></dict>"
            })
        let headings = try await grouped.get("/").body.matches(of: /data-group="(\w)">\s*<summary><h2>(.*?)<bdi>/)
        #expect(headings.map(\.1) == ["a", "b"])
        #expect(headings.first?.2.hasSuffix("/icons.svg#bell\"/></svg>") == true && headings.last?.2.isEmpty == true)
        let address = try #require(try await fixture.get("/").body.firstMatch(of: /href="([^"]+icons\.svg)#cart"/)?.1)
        let sprite = try await fixture.get(String(address))
        #expect(sprite.headers[.contentType] == "image/svg+xml" && sprite.body.contains("<symbol id=\"cart\""))
    }
}
