import FlagChanges
import Foundation
import Testing

@Suite("Starting on files")
struct StartTests {
    @Test("A second service on the same file refuses and names the first")
    func refusesSecondService() async throws {
        let project = try Project()
        let first = try project.service()
        try await first.announce("http://127.0.0.1:9/")
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains("http://127.0.0.1:9/"))
        #expect(error.description.contains("\(ProcessInfo.processInfo.processIdentifier)"))
    }

    @Test(
        "A file that can't be served is named with its fault, and left alone",
        arguments: [
            ("", "empty"), ("{}", "JSON"), ("<plist><array/></plist>", "array"),
            ("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", "duplicate key \"a\""),
        ])
    func refusesBadValues(text: String, message: String) throws {
        let project = try Project(values: text)
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains(message), "\(error.description)")
        #expect(error.description.contains(project.file.path))
        #expect(try project.text() == text)
        let names = try FileManager.default.contentsOfDirectory(atPath: project.folder.path).sorted()
        #expect(names == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("A manifest that is not valid is named with flag, field and line")
    func refusesBadManifest() throws {
        let manifest = """
            <plist version="1.0"><dict><key>version</key><integer>1</integer><key>flags</key><array>
            <dict><key>key</key><string>a/b</string><key>type</key><string>number</string></dict>
            </array></dict></plist>
            """
        let project = try Project(manifest: manifest)
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        for part in ["flags.manifest.xml", "line 2", "a/b", "type", "number"] {
            #expect(error.description.contains(part), "\(error.description)")
        }
    }

    @Test("A manifest that was named must be there; the one beside the file need not")
    func asksForNamedManifest() throws {
        let project = try Project(manifest: nil)
        _ = try project.service()
        let other = try Project(manifest: nil)
        #expect(throws: ChangeServiceStartError.self) {
            try ChangeService(
                files: FlagFiles(values: other.file, manifest: other.folder.appending(path: "nowhere.xml")))
        }
    }
}
