import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Files that are only looked at")
struct ObservingTests {
    private let project: Project
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    @Test("Nothing is made beside them, and their flags are told with their revisions")
    func nothingMade() async throws {
        let names = try project.everything()
        let entry = try await project.observing().overview().catalogue[key]
        #expect(entry?.revisions.isEmpty == false)
        #expect(try project.everything() == names)
    }

    @Test("An edit from outside is seen at the next look, and is left for the server to record")
    func outsideEdit() async throws {
        let served = try project.service()
        let observing = try project.observing()
        let before = try await observing.overview().catalogue[key]?.resolution.effectiveValue
        _ = try await served.apply(Change(key: key, action: .setText("7")), by: Project.author)
        let rows = try served.history.chainHead().id
        let after = try await observing.overview().catalogue[key]?.resolution.effectiveValue
        #expect(before != after && after == .integer(7))
        try project.write(try project.text().replacing("<integer>7</integer>", with: "<integer>8</integer>"))
        #expect(try await observing.overview().catalogue[key]?.resolution.effectiveValue == .integer(8))
        #expect(try served.history.chainHead().id == rows)
        #expect(try observing.history.chainHead().id == rows)
    }

    @Test("Every change of them is refused, and none is recorded")
    func refused() async throws {
        let names = try project.everything()
        let observing = try project.observing()
        let error = await #expect(throws: ChangeError.self) {
            _ = try await observing.apply(Change(key: key, action: .setText("7")), by: Project.author)
        }
        #expect(error?.reason == .notAllowed)
        #expect(try project.everything() == names)
    }

    @Test("None is known where the folder of the entries is another's, or can be read by others")
    func foreignFolder() throws {
        let folder = project.folder.appending(path: "entries")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect(RunningServer.find(project.servedFiles, in: folder) == nil)
    }

    @Test("A socket that was removed is told no longer")
    func goneSocket() async throws {
        var options = ChangeService.Options()
        options.servedFolder = project.folder.appending(path: "entries")
        let service = try project.service(options)
        try await service.announce("http://127.0.0.1:9/", answersSocket: true)
        try FileManager.default.removeItem(at: options.servedFolder)
        _ = try await service.overview()
        #expect(try #require(RunningServer.find(project.servedFiles, in: options.servedFolder)).socket == nil)
    }

    @Test("The process that serves a file is found by every name of the file, with its socket once that is answered")
    func found() async throws {
        var options = ChangeService.Options()
        options.servedFolder = project.folder.appending(path: "entries")
        #expect(RunningServer.find(project.servedFiles, in: options.servedFolder) == nil)
        do {
            let service = try project.service(options)
            let starting = try #require(RunningServer.find(project.servedFiles, in: options.servedFolder))
            #expect(starting.socket == nil)
            #expect(starting.name == "process \(ProcessInfo.processInfo.processIdentifier)")
            try await service.announce("http://127.0.0.1:9/", answersSocket: true)
            let other = try Project(values: nil, manifest: nil)
            try FileManager.default.linkItem(at: project.file, to: other.file)
            for files in [project.servedFiles, other.servedFiles] {
                let server = try #require(RunningServer.find(files, in: options.servedFolder))
                #expect(server.socket == service.socket && server.socket != nil)
                #expect(server.name.hasPrefix("http://127.0.0.1:9/"))
            }
        }
        #expect(RunningServer.find(project.servedFiles, in: options.servedFolder) == nil)
    }

    @Test("History, manifest and tokens elsewhere are found with the process that uses them, and named ones stay")
    func historyOfProcess() throws {
        var options = ChangeService.Options()
        options.servedFolder = project.folder.appending(path: "entries")
        let kept = project.folder.appending(path: "kept.sqlite")
        let manifest = project.folder.appending(path: "definitions.xml")
        let tokens = project.folder.appending(path: "people.json")
        try Data(Project.manifest.utf8).write(to: manifest)
        let service = try ChangeService(
            files: FlagFiles(values: project.file, manifest: manifest, history: kept, tokens: tokens), options: options)
        let found = project.servedFiles.asServed(in: options.servedFolder)
        #expect(found.history.path == service.files.history.path)
        #expect(found.manifest.path == service.files.manifest.path)
        #expect(found.tokens.path == service.files.tokens.path)
        let other = project.folder.appending(path: "other.sqlite")
        let named = FlagFiles(values: project.file, manifest: other, history: other, tokens: other)
        #expect(named.asServed(in: options.servedFolder) == named)
    }
}

extension Project {
    fileprivate var servedFiles: FlagFiles { FlagFiles(values: file) }

    fileprivate func observing() throws -> ChangeService {
        var options = ChangeService.Options()
        options.halfWrittenPatience = .zero
        return try ChangeService(observing: servedFiles, options: options)
    }

    /// The names of all that is in the folder.
    fileprivate func everything() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
}
