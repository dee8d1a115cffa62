import Foundation
import Testing

@testable import DurableFiles

@Suite("What processes that were ended leave")
struct LeftoverTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("flags.tokens.json")
    }

    @Test("Half-written files are removed, and those of other files and of other names are not")
    func temporaries() throws {
        let left = [".flags.tokens.json.\(UUID()).tmp", ".flags.tokens.json.\(UUID()).tmp"]
        let others = [
            ".flags.tokens.json.flagboard.\(UUID()).tmp", ".flags.tokens.json.mine.tmp", ".flags.xml.\(UUID()).tmp",
        ]
        for name in left + others { try Data("half".utf8).write(to: folder.file(name)) }
        AtomicFile.removeAbandoned(beside: [file]) { Issue.record("\($0)") }
        #expect(try folder.names == others.sorted())
    }

    @Test("A file that is being written at that moment is waited for")
    func livingWriter() async throws {
        let turn = try await FolderLock.take(beside: [file], until: .now)
        let living = try AtomicFile.writeTemporary(Data("new".utf8), beside: file)
        async let removal: Void = withCheckedContinuation { continuation in
            DispatchQueue.global().async { [file] in
                AtomicFile.removeAbandoned(beside: [file]) { Issue.record("\($0)") }
                continuation.resume()
            }
        }
        try AtomicFile.rename(living, to: file)
        turn.end()
        await removal
        #expect(try folder.names == ["flags.tokens.json"])
    }

    @Test("A folder of a process that was ended is removed by the next one, and one that is in use is not")
    func folders() throws {
        let abandoned = folder.file("flagboard-own-\(UUID().uuidString)")
        let strange = folder.file("flagboard-own-mine")
        for url in [abandoned, strange] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            try Data("left".utf8).write(to: url.appending(path: "socket"))
        }
        let first = try DurableFiles.TemporaryFolder(in: folder.url)
        #expect(!FileManager.default.fileExists(atPath: abandoned.path))
        let second = try DurableFiles.TemporaryFolder(in: folder.url)
        #expect(try folder.names == [first.url, second.url, strange].map(\.lastPathComponent).sorted())
        withExtendedLifetime((first, second)) {}
    }

    @Test("A folder is gone with its owner")
    func ends() throws {
        do {
            let own = try DurableFiles.TemporaryFolder(in: folder.url)
            try Data("in use".utf8).write(to: own.url.appending(path: "page.html"))
        }
        #expect(try folder.names.isEmpty)
    }

    @Test(
        "The holder of a lock is named by its own word only where its process runs",
        arguments: [
            ("http://127.0.0.1:9/ (process \(getpid()))", true), ("process \(getpid())", true),
            ("http://127.0.0.1:9/ (process 2147483646)", false), ("flagboard watch", true),
        ])
    func holder(told: String, isTaken: Bool) {
        let text = LockHolder.text(of: Data(told.utf8))
        #expect((text == told) == isTaken)
        #expect(text.contains(told))
        #expect(text.contains("unidentified program") == !isTaken)
    }

    @Test("A lock that is given back names nobody any more")
    func givenBack() throws {
        do {
            let lock = try ProcessLock(of: file)
            try lock.describe("http://127.0.0.1:9/")
        }
        #expect(try Data(contentsOf: ProcessLock.url(of: file)).isEmpty)
    }
}
