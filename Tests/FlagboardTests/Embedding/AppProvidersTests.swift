import FeatureFlags
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Providers of an app that the dashboard is embedded in")
struct AppProvidersTests {
    private static let path = EmbeddedFixture.path

    @Test("A bulk evaluation follows a change in memory, also for those who know the one before")
    func evaluation() async throws {
        let app = try await EmbeddedFixture()
        let address = "\(Self.path)/ofrep/v1/evaluate/flags"
        let first = try await app.ask(.post, address, body: "{}")
        #expect(first.status == 200 && first.body.contains("\"value\":4.9"))
        let tag = try #require(first.headers[.eTag])
        #expect(try await app.ask(.post, address, [.ifNoneMatch: tag], body: "{}").status == 304)
        try app.flags.$deliveryFee.set(0.5, in: "Sale")
        let second = try await app.ask(.post, address, [.ifNoneMatch: tag], body: "{}")
        #expect(second.status == 200 && second.body.contains("\"value\":0.5") && second.headers[.eTag] != tag)
    }

    @Test("The list of flags has no tag, so that no client keeps one of before a change in memory")
    func listTag() async throws {
        let app = try await EmbeddedFixture()
        let address = "\(Self.path)/api/v1/flags"
        let first = try await app.ask(address)
        #expect(first.status == 200 && first.headers[.eTag] == nil)
        try app.flags.$deliveryFee.set(0.5, in: "Sale")
        let second = try await app.ask(address, [.ifNoneMatch: "*"])
        #expect(second.status == 200 && second.body.contains("\"value\":0.5"))
    }

    @Test("They are told from files")
    func kinds() async throws {
        let app = try await EmbeddedFixture()
        let body = try await app.ask("\(Self.path)/api/v1/providers").body
        let kinds = body.matches(of: /"kind":"([a-z]+)","name":"([A-Za-z]+)"/).map { "\($0.2) \($0.1)" }
        #expect(kinds == ["Sale app", "Local file", "Environment app"])
    }

    @Test("What they held at a moment is not known, and the time machine says what stands for it")
    func past() async throws {
        let app = try await EmbeddedFixture()
        let before = "\(Self.path)/history/at?before=1"
        try app.flags.$quickCheckout.set(true, in: "Local")
        try app.flags.$deliveryFee.set(0.5, in: "Sale")
        let page = try await app.ask(before)
        #expect(page.status == 200)
        #expect(page.body.contains("own providers are unknown: Sale, Environment."))
    }

    @Test("A comparison with then names them, and takes none of them for its left side")
    func comparison() async throws {
        let app = try await EmbeddedFixture()
        try app.flags.$quickCheckout.set(true, in: "Local")
        let address = "\(Self.path)/api/v1/compare"
        let then = try await app.ask("\(address)?before=1")
        #expect(then.status == 200 && then.body.contains("\"withoutPast\":[\"Sale\",\"Environment\"]"))
        let now = try await app.ask("\(address)?left=Sale&right=Local")
        #expect(now.status == 200 && !now.body.contains("withoutPast"))
        let refused = try await app.ask("\(address)?before=1&left=Sale&right=Local")
        #expect(refused.status == 400 && refused.body.contains("past values aren't recorded"))
        #expect(try await app.ask("\(address)?before=1&left=Local&right=Sale").status == 200)
    }
}
