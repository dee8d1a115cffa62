import DurableFiles
import Foundation
import Testing

@Suite("Locks that a process holds")
struct ProcessLockTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("flags.xml")
    }

    /// What a second process is told, and the path by which the first one has the file.
    private func refusal() throws -> String? {
        let error = try #require(throws: FileAccessError.self) { _ = try ProcessLock(of: file) }
        guard let holder = error.holder, holder.path == file.path else { return nil }
        return holder.name
    }

    @Test("A second taker is told what the holder tells of itself, and takes it once that one is gone")
    func refuses() throws {
        do {
            let lock = try ProcessLock(of: file)
            #expect(try refusal() == "process \(ProcessInfo.processInfo.processIdentifier)")
            try lock.describe("http://127.0.0.1:9/")
            #expect(try refusal() == "http://127.0.0.1:9/")
            try lock.describe("here")
            #expect(try refusal() == "here")
        }
        #expect(throws: Never.self) { _ = try ProcessLock(of: file) }
        #expect(try folder.names == [".flags.xml.lock"])
    }

    @Test("A lock whose file was removed is taken anew, unless another was faster")
    func renews() throws {
        let lock = try ProcessLock(of: file)
        try FileManager.default.removeItem(at: ProcessLock.url(of: file))
        try lock.renew()
        #expect(try refusal() != nil)
        try FileManager.default.removeItem(at: ProcessLock.url(of: file))
        let other = try ProcessLock(of: file)
        try other.describe("the other")
        let error = #expect(throws: FileAccessError.self) { try lock.renew() }
        #expect(error?.holder?.name == "the other")
    }

    @Test("A lock file that can't be made is named with the cause")
    func unusable() throws {
        try FileManager.default.createDirectory(at: ProcessLock.url(of: file), withIntermediateDirectories: false)
        let error = try #require(throws: FileAccessError.self) { _ = try ProcessLock(of: file) }
        #expect(error.holder == nil && error.path == ProcessLock.url(of: file).path)
        #expect(error.clause.contains("it is a folder"))
    }
}
