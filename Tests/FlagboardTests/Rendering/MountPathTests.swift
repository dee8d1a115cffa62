import Testing

@testable import Flagboard

@Suite("The path that the dashboard is embedded at")
struct MountPathTests {
    @Test(
        "Paths of letters, digits and marks that no address encodes are taken",
        arguments: ["/flags", "/a/b-c_d.e~f", "/flags/"])
    func sound(_ text: String) throws {
        #expect(try MountPath(text).text == (text == "/flags/" ? "/flags" : text))
    }

    @Test(
        "Others are refused",
        arguments: [
            "", "/", "//", "flags", "//flags", "/flags//", "/a//b", "/a/../b", "/.", "/a b", "/a%20", "/ä", "/a;b",
            "/:id", "/**",
        ])
    func wrong(_ text: String) {
        #expect(throws: EmbeddingError.self) { try MountPath(text) }
    }

    @Test("Addresses within the dashboard get the path, and no others")
    func addresses() throws {
        let mount = try MountPath("/flags")
        #expect(mount.address(of: "/history?q=a") == "/flags/history?q=a")
        #expect(mount.address(of: "/") == "/flags/")
        for other in ["", "?q=a", "#main", "https://example.com/", "//example.com"] {
            #expect(mount.address(of: other) == other)
        }
        #expect(MountPath.root.address(of: "/history") == "/history")
    }

    @Test("A request below the path is one for what follows")
    func inner() throws {
        let mount = try MountPath("/flags")
        #expect(mount.inner("/flags/") == "/")
        #expect(mount.inner("/flags/flags/a?b") == "/flags/a?b")
        #expect(mount.inner("/flags//a") == "//a")
        for other in ["/flags", "/flagsx/", "/", "/Flags/", "flags/"] { #expect(mount.inner(other) == nil) }
    }

    @Test("Templates get it before what is an address, and nowhere else")
    func templates() throws {
        let mount = try MountPath("/flags")
        let library = try TemplateLibrary(
            PageSources.built.templates, assets: "/assets/1", below: mount,
            addresses: Route.all.map { ($0.name, $0.prefix) })
        let page = ArrivalPage(href: "/history?a=1&b=2", below: mount)
        let html = String(decoding: try library.render(page), as: UTF8.self)
        #expect(html.contains("content=\"0; url=/flags/history?a=1&amp;b=2\""))
        #expect(html.contains("<a class=\"button button-primary\" href=\"/flags/history?a=1&amp;b=2\">"))
        #expect(html.contains("href=\"/flags/assets/1/flagboard.css\""))
    }
}
