import Foundation
import Testing

@testable import DurableFiles

@Suite("Drafts of folders")
struct FolderDraftTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "backup")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test("A folder is there once all of its files are, for its owner alone")
    func installs() throws {
        let draft = try FolderDraft(of: url)
        try draft.add(Data("one".utf8), named: "first")
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(try draft.install())
        #expect(try String(contentsOf: url.appending(path: "first"), encoding: .utf8) == "one")
        #expect(try AtomicFile.signature(of: url)?.mode == 0o700)
        #expect(try AtomicFile.signature(of: url.appending(path: "first"))?.mode == 0o600)
    }

    @Test("An empty folder is replaced; one with a file in it, or a file, stays")
    func replacesEmptyFolder() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        #expect(try FolderDraft.isFree(url))
        #expect(try FolderDraft(of: url).install())
        try Data().write(to: url.appending(path: "mine"))
        #expect(try !FolderDraft.isFree(url))
        #expect(try !FolderDraft(of: url).install())
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        #expect(try !FolderDraft.isFree(file))
        #expect(try !FolderDraft(of: file).install())
        #expect(try names() == ["backup", "file"])
    }

    @Test("What an ended process left is removed, and what another one is making is left alone")
    func removesAbandoned() throws {
        let left = folder.url.appending(path: ".flagboard-draft-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: left.appending(path: "flags.xml"))
        let other = folder.url.appending(path: ".flagboard-draft-mine")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        do {
            let first = try FolderDraft(of: url)
            let second = try FolderDraft(of: url)
            #expect(try names().count == 3)
            #expect(try first.install() && second.install() == true)
        }
        #expect(try names() == [".flagboard-draft-mine", "backup"])
    }

    @Test("A folder that is to be made where there is none around it is refused")
    func needsFolder() throws {
        let lost = folder.url.appending(path: "missing/backup")
        let error = try #require(throws: FileAccessError.self) { try FolderDraft(of: lost) }
        #expect(error.description.contains("its folder doesn't exist"))
    }
}
