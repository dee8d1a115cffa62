import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

/// Writers of one file that know nothing of each other, as other processes do: each has its own lock, if any.
@Suite("One file and several processes")
struct WriterProcessTests {
    /// Adds keys as the provider does, and with turns in the folder as any process takes them.
    ///
    /// Two providers of one process don't share their turns: a lock of a folder is per opening of it.
    private static func add(_ prefix: String, _ count: Int, with provider: LocalProvider) throws {
        for number in 0..<count {
            try provider.setStoredValue(.integer(1), at: FlagKeyPath(components: ["\(prefix)\(number)"]))
        }
    }

    /// Changes one value over and over by renaming, as an editor does that knows nothing of turns.
    private static func edit(_ url: URL, _ count: Int) throws {
        for number in 0..<count {
            let document = try PropertyListDocument(source: Data(contentsOf: url))
            let edited = try document.setting(.integer(Int128(number)), at: FlagKeyPath(components: ["edited"]))
            let temporary = try AtomicFile.writeTemporary(edited.source, beside: url)
            try AtomicFile.rename(temporary, to: url)
        }
    }

    @Test("No write that was acknowledged is lost while three others write the same file")
    func nothingIsLost() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("flags.xml")
        let count = 40
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c", "d"] {
                let provider = LocalProvider(localURL: url, name: name)
                group.addTask { try Self.add(name, count, with: provider) }
            }
            try await group.waitForAll()
        }
        guard case .dictionary(let values) = try PropertyListDocument(source: Data(contentsOf: url)).root else {
            Issue.record("the root is no dictionary")
            return
        }
        let wanted = ["a", "b", "c", "d"].flatMap { name in (0..<count).map { "\(name)\($0)" } }
        #expect(Set(values.keys) == Set(wanted))
        #expect(try folder.names == ["flags.xml"])
    }

    @Test("An edit by a program that takes no turns is never lost to a write of the provider's")
    func editorsKeepTheirEdits() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("flags.xml")
        let provider = LocalProvider(localURL: url)
        try provider.setStoredValue(.integer(-1), at: FlagKeyPath(components: ["edited"]))
        async let writing: Void = Self.add("own", 60, with: provider)
        async let editing: Void = Self.edit(url, 60)
        _ = try await (writing, editing)
        let document = try PropertyListDocument(source: Data(contentsOf: url))
        #expect(try document.value(at: FlagKeyPath(components: ["edited"])) == .integer(59))
    }
}
