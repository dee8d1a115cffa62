import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

@testable import Flagboard

@Suite("Files of the public folder")
struct PublicFilesTests {
    @Test(
        "A file is served by its name alone, with its version in front or without, and nothing else is",
        arguments: [
            ("/style.css", 200), ("/deep.css", 200), ("/folder.d", 404), ("/folder.d/deep.css", 404),
            ("/gone.css", 404),
            ("/STYLE.css", 404), ("/style.css.", 404), ("/style.css/", 404), ("/..%2Fstyle.css", 404),
        ])
    func served(path: String, status: Int) async throws {
        let assets = try Self.assets(["style.css": "text", "folder.d/deep.css": "text"])
        for folderPath in ["", assets.path, "/assets/0"] {
            let answer = try await ask(folderPath + path, of: assets)
            #expect(answer.status.code == status)
        }
        for folderPath in ["/assets", "/assets/", "/assets/x", "\(assets.path)\(assets.path)", "/other"] {
            #expect(try await ask(folderPath + path, of: assets).status == .notFound)
        }
        #expect(try await ask(path, of: assets, by: .post).status == .notFound)
    }

    @Test("Two files of one name are refused, and copies that an editor keeps are left out")
    func refused() throws {
        let error = #expect(throws: TemplateError.self) { try Self.assets(["a/style.css": "a", "b/style.css": "b"]) }
        #expect(try #require(error).description.contains("Two page files are named style.css: rename one."))
        let assets = try Self.assets(["style.css": "a", "style.css~": "b", "style.css.orig": "c", "#style.css#": "d"])
        #expect(try assets.path == Self.assets(["style.css": "a"]).path && assets["style.css~"] == nil)
    }

    @Test("The style sheets of all parts are one file, in the order in which they apply")
    func joined() throws {
        let files = ["a/style.css": "p{}\n", "b/more.css": "q{}\n", "other.css": "r{}\n"]
        let assets = try Self.assets(files, joining: ["more", "style"])
        #expect(assets["pages.css"].map { String(buffer: $0.bytes) } == "q{}\np{}\n")
        #expect(assets["style.css"] != nil && assets["pages.css"]?.mediaType == "text/css")
        #expect(try Self.assets(files, joining: ["style", "more"]).path != assets.path)
        #expect(try Self.assets(files)["pages.css"] == nil)
        let error = #expect(throws: TemplateError.self) { try Self.assets(files, joining: ["style", "gone"]) }
        #expect(error?.description == "The style sheet gone doesn't exist: add gone.css.")
    }

    @Test("Only below its version is a file kept for good, and what a browser has is not sent again")
    func kept() async throws {
        let old = try Self.assets(["style.css": "old"])
        let new = try Self.assets(["style.css": "new"])
        #expect(try Self.assets(["folder/style.css": "old"]).path == old.path)
        #expect(try Self.assets(["other.css": "new"]).path != new.path && new.path != old.path)
        for (path, cached) in [
            ("/style.css", "no-cache"), ("\(old.path)/style.css", "no-cache"), ("\(new.path)/style.css", Self.forGood),
        ] {
            let answer = try await ask(path, of: new)
            #expect(answer.headers[.cacheControl] == cached && answer.headers[.contentType] == "text/css")
            #expect(String(buffer: answer.body) == "new")
            let head = try await ask(path, of: new, by: .head)
            #expect(head.headers[.contentLength] == "3" && head.body.readableBytes == 0)
            let tag = try #require(answer.headers[.eTag])
            let known = try await ask(path, of: new, [.ifNoneMatch: "\"x\", \(tag)"])
            #expect(known.status == .notModified && known.body.readableBytes == 0)
            #expect(try await ask(path, of: old, [.ifNoneMatch: tag]).status == .ok)
        }
    }

    @Test("The pages of a folder follow its files, and stay while something is wrong in them")
    func folder() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: root) } }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for folder in ["Templates", "Public"] {
            try FileManager.default.copyItem(
                at: Samples.templates.deletingLastPathComponent().appending(path: folder),
                to: root.appending(path: folder))
        }
        let logged = Mutex<[String]>([])
        let pages = try DashboardPages(of: root) { line in logged.withLock { $0.append(line) } }
        let page = HelpPage(frame: Samples.frame())
        let path = pages.current.assets.path
        #expect(try pages.current.assets.path == Samples.pageSet.assets.path)
        let (built, read) = (PageSources.built, try PageSources(root))
        #expect(built.templates.map(\.path) == read.templates.map(\.path))
        #expect(built.templates.map(\.bytes) == read.templates.map(\.bytes))
        let style = root.appending(path: "Public/Parts/flagboard.css")
        try Data("p {}".utf8).write(to: style)
        try Data("not served".utf8).write(to: root.appending(path: "Public/Parts/.flagboard.css.swp"))
        #expect(pages.current.assets.path != path)
        #expect(pages.current.assets["flagboard.css"].map { String(buffer: $0.bytes) } == "p {}")
        #expect(pages.current.assets["pages.css"].map { String(buffer: $0.bytes).hasPrefix("p {}") } == true)
        let template = root.appending(path: "Templates/Help/help.mustache")
        let text = try String(contentsOf: template, encoding: .utf8)
        try Data("\(text)<p>{{nothing}}</p>".utf8).write(to: template)
        let before = try pages.current.templates.html(of: page)
        #expect(logged.withLock(\.self).map { $0.contains("{{nothing}}") } == [true])
        try Data("\(text)<!-- edited -->".utf8).write(to: template)
        #expect(try pages.current.templates.html(of: page) == "\(before)<!-- edited -->")
        #expect(logged.withLock(\.count) == 1)
    }

    @Test("A page names style sheets, scripts and icons by their version, be it that nobody has signed in")
    func named() async throws {
        let open = try DashboardFixture("<key>on</key><true/>", flags: [DashboardFixture.flag("on", "bool")])
        let closed = try AccessFixture().dashboard
        for (fixture, path) in [(open, "/"), (open, "/nowhere"), (closed, "/sign-in"), (closed, "/")] {
            let page = try await fixture.get(path).body
            let named = page.matches(of: /(?:href|src)="([^"]+\.(?:css|js|svg))"/).map { String($0.1) }
            #expect(named.count > 1)
            for address in named {
                #expect(address.hasPrefix("/assets/"))
                #expect(try await fixture.get(address).headers[.cacheControl] == Self.forGood)
            }
        }
    }

    private static let forGood = "public, max-age=31536000, immutable"

    private static func assets(_ files: [String: String], joining styles: [String] = []) throws -> PageAssets {
        try PageAssets(
            files.map { PageSources.File(path: $0.key, bytes: Array($0.value.utf8)) }, joining: styles)
    }

    private func ask(
        _ path: String, of assets: PageAssets, by method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let router = Router(context: DashboardContext.self)
        let pages = PageSet(templates: try Samples.pageSet.templates, assets: assets)
        router.middlewares.add(PublicFiles(pages: .fixed(pages)))
        return try await Application(router: router).test(.router) { client in
            try await client.executeRequest(uri: path, method: method, headers: headers, body: nil)
        }
    }
}
