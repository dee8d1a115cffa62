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

    @Test("Until it has an address, the first service is named by its process, not by what held the lock before")
    func namesProcess() throws {
        let project = try Project()
        try Data("http://127.0.0.1:1/ (process 1)".utf8).write(
            to: project.folder.appending(path: ".flags.xml.lock"))
        let first = try project.service()
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains("process \(ProcessInfo.processInfo.processIdentifier)."))
        #expect(!error.description.contains("http"))
        withExtendedLifetime(first) {}
    }

    /// Two values files, and another one with links to both.
    private func files(_ project: Project) throws -> (first: URL, second: URL, link: URL) {
        let second = project.folder.appending(path: "second.xml")
        let link = project.folder.appending(path: "link.xml")
        try Data(Project.values.utf8).write(to: second)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: second)
        return (project.file, second, link)
    }

    @Test("A file that another service may write can't be served as anything else, and one that it only reads can")
    func locksEveryWritableFile() throws {
        let project = try Project(manifest: nil)
        let (first, second, link) = try files(project)
        func start(_ values: URL, _ other: URL? = nil, isWritable: Bool = true) throws {
            let others = other.map { [FlagFiles.Provider(name: "Y", url: $0, isWritable: isWritable)] } ?? []
            _ = try ChangeService(files: FlagFiles(values: values, others: others))
        }
        let third = try Project(manifest: nil)
        do {
            let holder = try ChangeService(
                files: FlagFiles(values: first, others: [FlagFiles.Provider(name: "Y", url: link, isWritable: true)]))
            let error = try #require(throws: ChangeServiceStartError.self) { try start(second) }
            #expect(error.description.contains(second.path))
            #expect(throws: ChangeServiceStartError.self) { try start(third.file, first) }
            try start(third.file, first, isWritable: false)
            withExtendedLifetime(holder) {}
        }
        try start(third.file, first)
    }

    @Test("A history has one service at a time, and so has a manifest")
    func locksHistoryAndManifest() throws {
        let project = try Project()
        let other = try Project(manifest: nil)
        var holder: ChangeService? = try project.service()
        let history = project.folder.appending(path: "flags.history.sqlite")
        for files in [
            FlagFiles(values: other.file, history: history),
            FlagFiles(values: other.file, manifest: project.manifestFile),
        ] {
            let error = try #require(throws: ChangeServiceStartError.self) { try ChangeService(files: files) }
            #expect(error.description.contains("already served"))
        }
        withExtendedLifetime(holder) {}
        holder = nil
        _ = try ChangeService(files: FlagFiles(values: other.file, manifest: project.manifestFile, history: history))
    }

    @Test("One file can't be two things, whatever its names")
    func refusesSameFileTwice() throws {
        let project = try Project(manifest: nil)
        let (first, second, link) = try files(project)
        let hard = project.folder.appending(path: "hard.xml")
        try FileManager.default.linkItem(at: first, to: hard)
        func provider(_ name: String, _ url: URL) -> FlagFiles.Provider {
            FlagFiles.Provider(name: name, url: url, isWritable: false)
        }
        for files in [
            FlagFiles(values: first, others: [provider("X", first)]),
            FlagFiles(values: first, others: [provider("X", hard)]),
            FlagFiles(values: first, others: [provider("X", second), provider("Y", link)]),
            FlagFiles(values: first, manifest: first), FlagFiles(values: second, manifest: link),
            FlagFiles(
                values: first,
                history: project.folder.appending(path: "../\(project.folder.lastPathComponent)/flags.xml")),
        ] {
            let error = try #require(throws: ChangeServiceStartError.self) { try ChangeService(files: files) }
            #expect(error.description.contains("the same file"), "\(error)")
        }
        #expect(try project.text() == Project.values)
        #expect(try project.names() == ["flags.xml", "hard.xml", "link.xml", "second.xml"])
    }

    @Test(
        "A file that can't be served is named with its fault, and left alone",
        arguments: [
            ("", "empty"), ("{}", "JSON"), ("<plist><array/></plist>", "array"),
            ("<plist><dict><key>a</key><key>b</key><true/></dict></plist>", "the key \"a\" has no value"),
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
