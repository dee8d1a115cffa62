import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Favourites")
struct FavouritesTests {
    private static let link = #"<a href="/?state=favourite""#

    private func fixture(
        flags: [String] = ["shop/fee", "shop/name", "count"], role: ChangeAuthor.Role = .viewer
    ) throws -> DashboardFixture {
        try DashboardFixture("", flags: flags.map { DashboardFixture.flag($0, "integer") }, role: role)
    }

    /// Sends the form of a flag, with a cookie.
    private func send(
        _ fixture: DashboardFixture, _ key: String, _ wish: String = "yes", cookie: String? = nil,
        from page: String = "http://localhost/"
    ) async throws -> DashboardFixture.Answer {
        var headers: HTTPFields = [.referer: page]
        headers[.cookie] = cookie
        return try await fixture.post("/favourites", ["key": key, "favourite": wish], headers: headers)
    }

    /// The cookie that an answer has a browser keep, as the browser sends it.
    private func kept(_ answer: DashboardFixture.Answer) throws -> String {
        String(try #require(answer.headers[.setCookie]).prefix { $0 != ";" })
    }

    private func get(_ fixture: DashboardFixture, _ path: String, cookie: String) async throws -> String {
        try await fixture.ask(.get, path, [.cookie: cookie]).body
    }

    private func listed(_ page: String) -> [String] {
        page.matches(of: /<li class="flag"[^>]* data-flag="([^"]+)"/).map { String($0.1) }
    }

    @Test("A viewer makes flags favourites, finds them by a tab and by a filter, and they are in no history")
    func favourites() async throws {
        let fixture = try fixture()
        let none = try await fixture.get("/").body
        #expect(!none.contains(Self.link) && !none.contains("<bdi>Favourites</bdi>"))
        #expect(!none.contains("class=\"star\""))
        let first = try await send(fixture, "shop/fee", from: "http://localhost/?open=shop%2Ffee")
        #expect(first.status == 303)
        #expect(first.headers[.location]?.contains(/^\/\?open=shop%2Ffee&noted=[^#]+#row$/) == true)
        let header = try #require(first.headers[.setCookie])
        #expect(
            header.contains(
                /^flagboard-favourites-[0-9a-f]{8}=!shop\/fee; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/))
        let cookie = try kept(try await send(fixture, "count", cookie: try kept(first)))
        #expect(cookie.hasSuffix("=!shop/fee!count"))

        let list = try await get(fixture, "/", cookie: cookie)
        #expect(list.contains(#"<li><a class="tab" href="/?state=favourite" dir="auto">Favourites</a></li>"#))
        #expect(list.matches(of: /role="img" aria-label="Favourite"/).count == 2)
        #expect(list.contains(#"<a href="/?state=favourite"><bdi>Favourites</bdi> <span class="tally">2</span></a>"#))
        let favourites = try await get(fixture, "/?state=favourite", cookie: cookie)
        #expect(Set(listed(favourites)) == ["shop/fee", "count"])
        #expect(favourites.contains(#"<span class="tab" aria-current="true" dir="auto">Favourites</span>"#))
        #expect(favourites.contains(#"<li><a class="tab" href="/" dir="auto">All</a></li>"#))
        #expect(favourites.contains(#"<li><a href="/" aria-current="page">Flags</a></li>"#))
        #expect(listed(try await get(fixture, "/?state=favourite&group=shop", cookie: cookie)) == ["shop/fee"])
        #expect(try await get(fixture, "/flags/shop/fee", cookie: cookie).contains("Remove from favourites"))
        #expect(try await get(fixture, "/flags/shop/name", cookie: cookie).contains("Add to favourites"))
        #expect(try await get(fixture, "/?open=shop%2Ffee", cookie: cookie).contains("Remove from favourites"))

        let rest = try kept(try await send(fixture, "shop/fee", "no", cookie: cookie))
        #expect(rest.hasSuffix("=!count"))
        #expect(try kept(try await send(fixture, "count", "no", cookie: rest)).hasSuffix("="))
        #expect(try fixture.rows().isEmpty)
    }

    @Test("A script gets the cookie alone, and no page to go on with")
    func scripts() async throws {
        let fixture = try fixture()
        let minimal: HTTPFields = [.prefer: "return=minimal"]
        let kept = try await fixture.post(
            "/favourites", ["key": "count", "favourite": "yes"], headers: minimal)
        #expect(kept.status == 204 && kept.headers[.location] == nil && kept.body.isEmpty)
        #expect(try self.kept(kept).hasSuffix("=!count"))
        let refused = try await fixture.post("/favourites", ["key": "none", "favourite": "yes"], headers: minimal)
        #expect(refused.status == 404 && refused.headers[.setCookie] == nil)
    }

    @Test("What is gone is forgotten when the next one is kept, and what is no key path is passed over")
    func forgotten() async throws {
        let fixture = try fixture()
        let name = try kept(try await send(fixture, "count")).prefix { $0 != "=" }
        let cookie = "\(name)=!gone!shop/fee!%ff!!shop/fee"
        #expect(listed(try await get(fixture, "/?state=favourite", cookie: cookie)) == ["shop/fee"])
        #expect(try kept(try await send(fixture, "count", cookie: cookie)) == "\(name)=!shop/fee!count")
        #expect(try kept(try await send(fixture, "gone", "no", cookie: cookie)) == "\(name)=!shop/fee")
        for odd in ["x", "gone", String(repeating: "!a", count: 3000), "%21count"] {
            let page = try await fixture.ask(.get, "/", [.cookie: "\(name)=\(odd)"])
            #expect(page.status == 200 && !page.body.contains(Self.link), "\(odd.prefix(20))")
        }
    }

    @Test("A flag that its admirer renames stays a favourite, in its place")
    func renamed() async throws {
        let fixture = try fixture(role: .admin)
        let first = try kept(try await send(fixture, "shop/fee"))
        let cookie = try kept(try await send(fixture, "count", cookie: first))
        let rename: KeyValuePairs = ["action": "rename", "newKey": "shop/price"]
        let answer = try await fixture.post("/definitions/shop/fee", rename, headers: [.cookie: cookie])
        #expect(answer.status == 303 && answer.headers[.location]?.hasPrefix("/flags/shop/price") == true)
        #expect(try kept(answer).hasSuffix("=!shop/price!count"))
        let other = try await fixture.post(
            "/definitions/shop/name", ["action": "rename", "newKey": "shop/title"], headers: [.cookie: cookie])
        #expect(other.status == 303 && other.headers[.setCookie]?.contains("favourites") != true)
    }

    @Test("Key paths of any letters are kept as they are")
    func letters() {
        let keys = ["", "a!b", "größe/日本", "~1/~0", "a b;c,d\"e\\", "x/"].compactMap { FlagKeyPath(text: $0) }
        var favourites = Favourites()
        let added = keys.map { favourites.add($0) }
        #expect(added.allSatisfy(\.self) && keys.count == 6)
        #expect(Favourites(text: favourites.text).keys == keys)
        #expect(favourites.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\";,\\".utf8.contains($0) })
    }

    @Test("No more flags are favourites than fit, and the refusal says how many do")
    func full() async throws {
        let keys = (0...50).map { "flag\($0)" }
        let fixture = try fixture(flags: keys + ["long"])
        let name = try kept(try await send(fixture, "long")).prefix { $0 != "=" }
        let cookie = "\(name)=" + keys.prefix(50).map { "!\($0)" }.joined()
        let refused = try await send(fixture, "flag50", cookie: cookie)
        #expect(refused.status == 409 && refused.headers[.setCookie] == nil)
        #expect(refused.body.contains("You have 50 favourites, which is the limit."))
        #expect(try await send(fixture, "flag7", cookie: cookie).status == 303)
        #expect(try await send(fixture, "flag7", "no", cookie: cookie).status == 303)

        var long = Favourites()
        let texts = (0..<9).map { "\($0)" + String(repeating: "é", count: 80) }
        let added = texts.compactMap { FlagKeyPath(text: $0) }.map { long.add($0) }
        #expect(added.first == true && added.last == false && long.text.utf8.count <= 3500)
    }

    @Test(
        "A form that names no flag, or nothing to do, is refused",
        arguments: [
            ("favourite=yes", 422), ("key=%7E2&favourite=yes", 422), ("key=count", 422),
            ("key=count&favourite=on", 422),
            ("key=none&favourite=yes", 404),
        ])
    func refused(body: String, status: Int) async throws {
        let fixture = try fixture()
        let answer = try await fixture.ask(.post, "/favourites", [.secFetchSite: "same-origin"], body: body)
        #expect(answer.status == status && answer.headers[.setCookie] == nil)
        #expect(try await fixture.ask(.post, "/favourites", body: "key=count&favourite=yes").status == 403)
    }

    @Test("Programs have no favourites")
    func programs() async throws {
        let fixture = try fixture()
        #expect(try await fixture.get("/api/v1/flags?state=favourite").status == 400)
        #expect(try await fixture.get("/api/v1/flags?state=on,favourite").status == 400)
    }
}
