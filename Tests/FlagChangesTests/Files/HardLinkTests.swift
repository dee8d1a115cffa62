import FeatureFlags
import Foundation
import Testing

@testable import FlagChanges

@Suite("Files of two names")
struct HardLinkTests {
    private let project: Project
    private let other: Project
    private let log = Log()
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws {
        project = try Project()
        other = try Project(values: nil, manifest: nil)
    }

    /// Gives the values file a second name, in the other project.
    private func link() throws { try FileManager.default.linkItem(at: project.file, to: other.file) }

    /// A folder for the entries of this test's services alone.
    private var entries: URL { project.folder.appending(path: "entries") }

    private func service(_ project: Project, isReadOnly: Bool = false) throws -> ChangeService {
        var options = ChangeService.Options(isReadOnly: isReadOnly, log: log.add)
        options.servedFolder = entries
        options.halfWrittenPatience = .zero
        return try project.service(options)
    }

    private func refusal() throws -> String {
        try #require(throws: ChangeServiceStartError.self) { try service(other) }.description
    }

    @Test("A second service on another name of the same file refuses, and names the first and its name")
    func refused() async throws {
        try link()
        do {
            let first = try service(project)
            #expect(try refusal().contains("process \(ProcessInfo.processInfo.processIdentifier)"))
            try await first.announce("http://127.0.0.1:9/")
            let text = try refusal()
            for part in [other.file.path, project.file.path, "hard link", "http://127.0.0.1:9/"] {
                #expect(text.contains(part), "\(text)")
            }
            #expect(try other.names() == ["flags.xml"])
        }
        _ = try service(other)
    }

    @Test("So it does where the name was made while the first one serves, until a change has parted the two")
    func parted() async throws {
        let first = try service(project)
        try link()
        #expect(try await first.overview().linkedFiles == [project.file])
        #expect(try refusal().contains("hard link"))
        _ = try await first.apply(Change(key: key, action: .setText("7")), by: Project.author)
        #expect(try await first.overview().linkedFiles.isEmpty)
        #expect(try other.text() == Project.values && project.text() != Project.values)
        let second = try service(other)
        #expect(try await second.overview().linkedFiles.isEmpty)
    }

    @Test("The log names a file of two names once, at the start or when the name comes")
    func logged() async throws {
        let first = try service(project)
        #expect(log.lines.isEmpty)
        try link()
        for _ in 1...3 { _ = try await first.overview() }
        #expect(log.lines.count == 1)
        #expect(log.lines[0].contains(project.file.path) && log.lines[0].contains("hard link"), "\(log.lines)")
        try FileManager.default.removeItem(at: other.file)
        #expect(try await first.overview().linkedFiles.isEmpty)
        #expect(try await first.fileProblems().isEmpty)
    }

    @Test("At a start too, and a manifest counts as well")
    func loggedAtStart() async throws {
        let manifest = other.folder.appending(path: "shared.xml")
        try FileManager.default.linkItem(at: project.manifestFile, to: manifest)
        let first = try service(project)
        #expect(log.lines.count == 1 && log.lines[0].contains(project.manifestFile.path))
        #expect(try await first.overview().linkedFiles == [project.manifestFile])
        try other.write(Project.values)
        var options = ChangeService.Options()
        options.servedFolder = entries
        let error = try #require(throws: ChangeServiceStartError.self) {
            try ChangeService(files: FlagFiles(values: other.file, manifest: manifest), options: options)
        }
        #expect(error.description.contains(manifest.path))
    }

    @Test("Where nothing is changed, nothing is parted")
    func readOnly() async throws {
        try link()
        let reader = try service(project, isReadOnly: true)
        #expect(try await reader.overview().linkedFiles.isEmpty)
        #expect(log.lines.isEmpty)
    }

    @Test("Whoever looks for updates is told that a name came and that it went")
    func updates() async throws {
        let first = try service(project)
        var updates = try await first.updates().makeAsyncIterator()
        try link()
        _ = try await first.overview()
        #expect(await updates.next()?.changesObstacles == true)
        try FileManager.default.removeItem(at: other.file)
        _ = try await first.overview()
        #expect(await updates.next()?.changesObstacles == true)
    }

    @Test("An entry that was tidied away is made anew, and one of a process that is gone is removed")
    func renewed() async throws {
        try FileManager.default.createDirectory(
            at: entries, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let stale = entries.appending(path: "stale")
        try Data("\(project.file.path)\0\0process 1".utf8).write(to: stale)
        try link()
        let first = try service(project)
        #expect(!FileManager.default.fileExists(atPath: stale.path))
        try FileManager.default.removeItem(at: entries)
        _ = try await first.overview()
        #expect(try refusal().contains("hard link"))
        withExtendedLifetime(first) {}
    }

    @Test("Where processes can't tell one another, the log says so and the file is served all the same")
    func unusable() async throws {
        try FileManager.default.createSymbolicLink(at: entries, withDestinationURL: other.folder)
        let first = try service(project)
        #expect(log.lines.count == 1)
        #expect(log.lines[0].contains(entries.path) && log.lines[0].contains("hard link"), "\(log.lines)")
        #expect(try await first.fileProblems().isEmpty)
        #expect(try other.names().isEmpty)
    }
}
