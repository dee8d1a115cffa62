import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Files that are replaced in every way")
struct ReplacedFileTests {
    let project: Project
    private let key = FlagKeyPath.of("checkout", "limit")
    private let edited = Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<")

    init() throws { project = try Project() }

    /// What a file can be replaced by that is none.
    enum Thing: CaseIterable {
        case nothing, folder, link, danglingLink, pipe, socketName

        func put(_ url: URL) throws {
            try FileManager.default.removeItem(at: url)
            switch self {
            case .nothing: break
            case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            case .link:
                let other = url.deletingLastPathComponent().appending(path: "other.xml")
                try Data(Project.values.utf8).write(to: other)
                try FileManager.default.createSymbolicLink(at: url, withDestinationURL: other)
            case .danglingLink:
                try FileManager.default.createSymbolicLink(
                    at: url, withDestinationURL: url.appendingPathExtension("gone"))
            case .pipe: #expect(mkfifo(url.path, 0o600) == 0)
            case .socketName: #expect(mknod(url.path, S_IFSOCK | 0o600, 0) == 0)
            }
        }
    }

    @Test(
        "What is no file is said to be in the way, left as it is, and missed no more when the file is back",
        arguments: Thing.allCases)
    func replacedByOther(thing: Thing) async throws {
        let service = try project.service()
        try thing.put(project.file)
        let fileProblems = try await service.fileProblems()
        if thing == .link {
            // What the link leads to can be read, and the history that belongs there is another one.
            #expect("\(fileProblems)".contains("other.history.sqlite"))
        } else {
            #expect(fileProblems.map(\.provider) == ["Local"])
            #expect("\(fileProblems)".contains("flags.xml"))
        }
        await #expect(throws: ChangeError.self) {
            try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        }
        try? FileManager.default.removeItem(at: project.file)
        try project.write(edited)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.rows().map(\.event.after) == [.integer(8)])
    }

    @Test("So is the manifest, and its rules hold meanwhile", arguments: Thing.allCases.filter { $0 != .link })
    func manifestReplacedByOther(thing: Thing) async throws {
        let service = try project.service()
        try thing.put(project.manifestFile)
        let overview = try await service.overview()
        #expect(overview.fileProblems.map(\.provider) == [nil])
        #expect("\(overview.fileProblems)".contains("flags.manifest.xml"))
        #expect(overview.catalogue[.of("hidden", "token")] == nil)
        try? FileManager.default.removeItem(at: project.manifestFile)
        try project.writeManifest(Project.manifest)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.rows().isEmpty)
    }

    @Test("An editor that renames its new file into place, with a backup of the old one, is recorded once")
    func renamedIntoPlace() async throws {
        let service = try project.service()
        let new = project.folder.appending(path: "4913")
        try Data(edited.utf8).write(to: new)
        try FileManager.default.moveItem(at: project.file, to: project.folder.appending(path: "flags.xml~"))
        try FileManager.default.moveItem(at: new, to: project.file)
        for _ in 1...3 { _ = try await service.overview() }
        #expect(try service.rows().map(\.event.after) == [.integer(8)])
        #expect(try service.rows().map(\.event.before) == [.integer(5)])
    }

    @Test("Edits in place of the same size in quick succession are all seen, be the file's times set back")
    func inPlace() async throws {
        let service = try project.service()
        for number in [6, 7, 8, 9, 6, 7, 8, 9] {
            let handle = try FileHandle(forWritingTo: project.file)
            try handle.write(contentsOf: Data(edited.replacingOccurrences(of: ">8<", with: ">\(number)<").utf8))
            try handle.close()
            try FileManager.default.setAttributes([.modificationDate: Project.now], ofItemAtPath: project.file.path)
            let entry = try #require(try await service.catalogue()[key])
            #expect(entry.resolution.effectiveValue == .integer(Int128(number)))
        }
        #expect(try service.rows().count == 8)
    }

    @Test("A reading is taken for current only if the file had been at rest for two seconds when it was made")
    func settles() throws {
        let fresh = try #require(try FileReading.read(project.file, at: Date()))
        #expect(try !fresh.isCurrent(at: project.file))
        // The times are those of the file, not of the look: what was read too early stays so.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: project.file.path)
        let aged = try #require(try FileReading.read(project.file, at: Date()))
        #expect(try !aged.isCurrent(at: project.file))
        let later = try #require(try FileReading.read(project.file, at: Date(timeIntervalSinceNow: 3)))
        #expect(try later.isCurrent(at: project.file))
        try project.write(edited)
        #expect(try !later.isCurrent(at: project.file))
    }
}
