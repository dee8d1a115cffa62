import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

@Suite("Files of the public folder")
struct PublicFilesTests {
    @Test(
        "Only a file that lies in the folder, or in one of its folders, is served, and by its name alone",
        arguments: [
            ("/style.css", 200), ("/inner.css", 200), ("/link.css", 404), ("/folder.d", 404),
            ("/folder.d/deep.css", 404), ("/deep.css", 200), ("/secret.css", 404), ("/outside.d/secret.css", 404),
            ("/gone.css", 404), ("/STYLE.css", 404),
            ("/style.css.", 404),
        ])
    func served(path: String, status: Int) async throws {
        let root = try Self.root()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: root) } }
        let folder = root.appending(path: "Public")
        let outside = root.appending(path: "secret.css")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "folder.d"), withIntermediateDirectories: true)
        for file in [folder.appending(path: "style.css"), folder.appending(path: "folder.d/deep.css"), outside] {
            try Data("text".utf8).write(to: file)
        }
        for (name, target) in [
            ("link.css", outside), ("inner.css", folder.appending(path: "style.css")), ("outside.d", root),
            ("gone.css", root.appending(path: "none")),
        ] {
            try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: target)
        }
        let version = try AssetFolder(folder)
        for folderPath in ["", version.path, "/assets/0"] {
            let answer = try await ask(folderPath + path, in: folder, version)
            #expect(answer.status.code == status)
        }
        for folderPath in ["/assets", "/assets/", "/assets/x", "\(version.path)\(version.path)", "/other"] {
            #expect(try await ask(folderPath + path, in: folder, version).status == .notFound)
        }
    }

    @Test("Two files of one name are told apart by nothing, so that the server does not start")
    func twice() throws {
        let root = try Self.root()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: root) } }
        for name in ["a", "b"] {
            let folder = root.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("text".utf8).write(to: folder.appending(path: "style.css"))
        }
        let error = #expect(throws: AssetError.self) { try AssetFolder(root) }
        #expect(try #require(error).description.contains("a/style.css and b/style.css have the same name."))
    }

    @Test("Only in the folder of its version is a file kept for good")
    func kept() async throws {
        let root = try Self.root()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: root) } }
        let style = root.appending(path: "style.css")
        try Data("old".utf8).write(to: style)
        let old = try AssetFolder(root)
        try Data("not served".utf8).write(to: root.appending(path: ".style.css.swp"))
        #expect(try AssetFolder(root).path == old.path)
        #expect(try await ask("\(old.path)/style.css", in: root, old).headers[.cacheControl] == Self.forGood)
        try Data("new".utf8).write(to: style)
        // Old and new are as long.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceReferenceDate: 0)],
            ofItemAtPath: style.path(percentEncoded: false))
        #expect(try await ask("\(old.path)/style.css", in: root, old).headers[.cacheControl] == "no-cache")
        let new = try AssetFolder(root)
        #expect(new.path != old.path)
        for (path, cached) in [
            ("/style.css", "no-cache"), ("\(old.path)/style.css", "no-cache"),
            ("\(new.path)/style.css", Self.forGood),
        ] {
            let answer = try await ask(path, in: root, new)
            #expect(answer.headers[.cacheControl] == cached)
            #expect(String(buffer: answer.body) == "new")
        }
        try FileManager.default.moveItem(at: style, to: root.appending(path: "other.css"))
        #expect(try AssetFolder(root).path != new.path)
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

    /// A new folder.
    private static func root() throws -> URL {
        let root = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        return root
    }

    private func ask(_ path: String, in folder: URL, _ assets: AssetFolder) async throws -> TestResponse {
        let router = Router(context: DashboardContext.self)
        router.middlewares.add(
            PublicFiles(
                folder: folder.path(percentEncoded: false), assets: assets, logger: Logger(label: "test")))
        return try await Application(router: router).test(.router) { client in
            try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        }
    }
}
