import HTTPTypes
import Testing

@testable import Flagboard

@Suite("What a page can be copied as")
struct PageCopiesTests {
    private static let address = CurlLine.Address(base: "https://flags.example.com/below", needsToken: false)

    private func texts(_ target: String, file: String? = "flags.xml") -> [String] {
        PageCopies(target, at: Self.address, file: file).lines.map(\.text)
    }

    @Test("A list is copied with its search, as a link, a command and a line of curl")
    func list() {
        #expect(
            texts("/?q=check+out&state=on&owner=Web&sort=changed&at=a") == [
                "https://flags.example.com/below/?q=check+out&state=on&owner=Web&sort=changed",
                "flagboard list flags.xml --query 'check out' --state on --owner Web --sort changed",
                "curl 'https://flags.example.com/below/api/v1/flags?q=check%20out&state=on&owner=Web&sort=changed'",
            ])
    }

    @Test(
        "What a page is copied as is named, and a list's text has its search",
        arguments: [
            ("/?q=check+out&saved=x", "link, text, CLI command or cURL", "/export/flags.txt?q=check+out"),
            ("/?q=a&q=b", "link or text", "/export/flags.txt?q=a&q=b"),
            ("/history?actor=ada", "link, CLI command or cURL", nil),
        ])
    func forms(target: String, forms: String, textHref: String?) {
        let copies = PageCopies(target, at: Self.address, file: "flags.xml")
        #expect(copies.forms == forms && copies.textHref == textHref)
    }

    @Test("Whatever a list is narrowed by, it is copied as a command", arguments: FlagCriterion.all.map(\.name))
    func criteria(name: String) {
        #expect(texts("/?\(name)=on").dropFirst().first == "flagboard list flags.xml --\(name) on")
    }

    @Test("What was just done is no part of the page, and what only pages know is no part of the request")
    func passing() {
        #expect(
            texts("/?q=a&view=providers&page=2&saved=x&noted=3&standing=1&tag=") == [
                "https://flags.example.com/below/?q=a&view=providers&page=2&tag=",
                "flagboard list flags.xml --query a", "curl 'https://flags.example.com/below/api/v1/flags?q=a'",
            ])
    }

    @Test("The history and a comparison have their commands, as far as those know what the page is narrowed by")
    func others() {
        #expect(
            texts("/history?actor=ada&kind=set&from=2026-11-01")
                == [
                    "https://flags.example.com/below/history?actor=ada&kind=set&from=2026-11-01",
                    "flagboard history list flags.xml --actor ada --kind set --from 2026-11-01",
                    "curl 'https://flags.example.com/below/api/v1/history?actor=ada&kind=set&from=2026-11-01'",
                ].map { $0 })
        #expect(
            texts("/compare?left=Local&right=default").dropFirst().first
                == "flagboard diff flags.xml --left Local --right default")
        #expect(texts("/compare?show=all").map { String($0.prefix(5)) } == ["https", "curl "])
        #expect(texts("/", file: nil).map { String($0.prefix(5)) } == ["https", "curl "])
    }

    @Test(
        "A page that programs can't ask for is copied as a link",
        arguments: ["/settings", "/export", "/history/at?before=1"])
    func links(target: String) {
        let copies = PageCopies(
            target, at: CurlLine.Address(base: "http://localhost", needsToken: true), file: "flags.xml")
        #expect(copies.lines.map(\.text) == ["http://localhost\(target)"])
        #expect(copies.forms == "link" && copies.textHref == nil && !copies.needsToken)
    }

    @Test("An odd query makes a link and nothing to run")
    func odd() {
        #expect(texts("/?q=%ff").count == 1)
        #expect(texts("/?q=a&q=b").count == 1)
        #expect(texts("/?q=a%0Ab").allSatisfy { !$0.contains("\n") })
    }

    @Test("Every page has them, a refusal and the answer to a form have not")
    func pages() async throws {
        let fixture = try DashboardFixture("")
        #expect(try await fixture.get("/?q=a").body.contains("http://localhost/?q=a</pre>"))
        #expect(try await fixture.get("/help").body.contains("http://localhost/help</pre>"))
        #expect(try await !fixture.get("/flags/none").body.contains("id=\"copies\""))
        #expect(try await !fixture.post("/settings", ["theme": "odd"]).body.contains("id=\"copies\""))
    }
}
