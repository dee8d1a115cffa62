import Foundation
import Testing

@testable import DurableFiles

@Suite("Drafts of files")
struct FileDraftTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "rows.txt")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test("A file is there once it is whole, for its owner alone")
    func installs() throws {
        let draft = try FileDraft(of: url)
        try draft.write(Data("one ".utf8))
        try draft.write(Data("two".utf8))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(try draft.install(replacing: false))
        #expect(try String(contentsOf: url, encoding: .utf8) == "one two")
        #expect(try AtomicFile.signature(of: url)?.mode == 0o600)
    }

    @Test("A file that came meanwhile is replaced only where it may be", arguments: [false, true])
    func replaces(isReplacing: Bool) throws {
        do {
            let draft = try FileDraft(of: url)
            try draft.write(Data("new".utf8))
            try Data("old".utf8).write(to: url)
            #expect(try draft.install(replacing: isReplacing) == isReplacing)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == (isReplacing ? "new" : "old"))
        #expect(try names() == ["rows.txt"])
    }

    @Test("One that is given up leaves nothing behind")
    func givesUp() throws {
        do {
            let draft = try FileDraft(of: url)
            try draft.write(Data("half".utf8))
            #expect(try names().count == 1)
        }
        #expect(try names().isEmpty)
    }

    @Test("What an ended process left is removed, and one that is being written is left alone")
    func removesAbandoned() throws {
        let name = ".rows.txt.draft.\(UUID().uuidString).tmp"
        try Data("half".utf8).write(to: folder.url.appending(path: name))
        let first = try FileDraft(of: url)
        try first.write(Data("first".utf8))
        #expect(try !names().contains(name))
        let second = try FileDraft(of: url)
        #expect(try names().count == 2)
        #expect(try first.install(replacing: false))
        #expect(try !second.install(replacing: false))
        #expect(try String(contentsOf: url, encoding: .utf8) == "first")
    }

    @Test("Where there is no folder, that is said")
    func missingFolder() {
        let error = #expect(throws: FileAccessError.self) { _ = try FileDraft(of: url.appending(path: "x/y.txt")) }
        #expect(error?.description.contains("its folder doesn't exist") == true)
    }
}
