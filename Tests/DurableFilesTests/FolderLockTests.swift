import DurableFiles
import Foundation
import Synchronization
import Testing

@Suite("Turns in folders")
struct FolderLockTests {
    private let root: TemporaryFolder
    private let folders: [URL]

    init() throws {
        let root = try TemporaryFolder()
        self.root = root
        folders = ["a", "b"].map(root.file)
        for folder in folders { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    }

    /// How many writers have a turn now, and how many turns there were.
    private final class Counts: Sendable {
        let holders = Atomic(0)
        let turns = Atomic(0)
    }

    @Test("Several files of one folder take one turn in it, and a folder by another name is the same folder")
    func takesFolderOnce() async throws {
        let link = root.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folders[0])
        let files = [folders[0].appending(path: "x"), folders[0].appending(path: "y"), link.appending(path: "x")]
        // A second turn in the same folder would wait for the first.
        let turn = try await FolderLock.take(beside: files, until: .now)
        for file in files {
            await #expect(throws: FileAccessError.self) {
                try await FolderLock.take(beside: [file], until: .now).end()
            }
        }
        turn.end()
        #expect(try FolderLock.take(beside: files[2]) { true })
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

    @Test("Writers that want the same folders in different orders all get their turns, one at a time")
    func avoidsDeadlock() async throws {
        let files = folders.map { $0.appending(path: "x") }
        let counts = Counts()
        let unlimited = ContinuousClock.now + .seconds(86_400)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order in [files, files.reversed(), files, files.reversed()] {
                group.addTask {
                    for _ in 1...20 {
                        let turn = try await FolderLock.take(beside: order, until: unlimited)
                        #expect(counts.holders.add(1, ordering: .relaxed).newValue == 1)
                        counts.turns.add(1, ordering: .relaxed)
                        counts.holders.subtract(1, ordering: .relaxed)
                        turn.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.turns.load(ordering: .relaxed) == 80)
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
