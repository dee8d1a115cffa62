import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Flagboard

@Suite("Files of the public folder")
struct PublicFilesTests {
    @Test(
        "Only a file that lies in the folder itself is served",
        arguments: [
            ("/style.css", 200), ("/inner.css", 200), ("/link.css", 404), ("/folder.d", 404),
            ("/folder.d/style.css", 404), ("/outside.d/secret.css", 404), ("/gone.css", 404), ("/STYLE.css", 404),
            ("/style.css.", 404),
        ])
    func served(path: String, status: Int) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: root) } }
        let folder = root.appending(path: "Public")
        let outside = root.appending(path: "secret.css")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "folder.d"), withIntermediateDirectories: true)
        for file in [folder.appending(path: "style.css"), folder.appending(path: "folder.d/style.css"), outside] {
            try Data("text".utf8).write(to: file)
        }
        for (name, target) in [
            ("link.css", outside), ("inner.css", folder.appending(path: "style.css")), ("outside.d", root),
            ("gone.css", root.appending(path: "none")),
        ] {
            try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: target)
        }
        let router = Router(context: DashboardContext.self)
        router.middlewares.add(
            PublicFiles(folder: folder.path(percentEncoded: false), logger: Logger(label: "test")))
        try await Application(router: router).test(.router) { client in
            let answered = try await client.execute(uri: path, method: .get) { $0.status.code }
            #expect(answered == status)
        }
    }
}
