import FeatureFlagsXML
import Foundation
import Testing

@Suite("Turns in folders")
struct FolderTurnTests {
    private let folders: [URL]

    init() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "turns-\(UUID().uuidString)")
        folders = ["a", "b"].map { root.appending(path: $0) }
        for folder in folders { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    }

    @Test("Several files of one folder take one turn in it, and a folder by another name is the same folder")
    func takesFolderOnce() async throws {
        let link = folders[0].deletingLastPathComponent().appending(path: "link-\(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folders[0])
        let files = [folders[0].appending(path: "x"), folders[0].appending(path: "y"), link.appending(path: "x")]
        let turn = try await FolderLock.take(beside: files, until: .now)
        turn.end()
    }

    @Test("A turn is refused after its time while somebody else has it, and can be taken again once that ended")
    func givesUp() async throws {
        let file = folders[1].appending(path: "x")
        let turn = try await FolderLock.take(beside: [file], until: .now)
        await #expect(throws: FileAccessError.self) {
            try await FolderLock.take(beside: [folders[0].appending(path: "x"), file], until: .now).end()
        }
        // The folder that was free is not held by the one who gave up.
        try await FolderLock.take(beside: [folders[0].appending(path: "x")], until: .now).end()
        turn.end()
        #expect(try FolderLock.take(beside: file) { true })
    }

    @Test("Those who want the same folders in different orders all get their turns")
    func avoidsDeadlock() async throws {
        let files = folders.map { $0.appending(path: "x") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order in [files, files.reversed(), files, files.reversed()] {
                group.addTask {
                    for _ in 1...20 { try await FolderLock.take(beside: order, until: .now + .seconds(10)).end() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A folder that is not there is named")
    func namesMissing() async throws {
        let file = folders[0].appending(path: "missing/x")
        let error = await #expect(throws: FileAccessError.self) {
            try await FolderLock.take(beside: [file], until: .now).end()
        }
        #expect(error?.description.contains("missing") == true)
    }
}
