import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

/// Writers of one file that know nothing of each other, as other processes do: each has its own lock, if any.
@Suite("One file and several processes")
struct WriterProcessTests {
    /// Adds one key at a time by swapping the file, and puts back whatever it displaced of somebody else's.
    ///
    /// Stands for the same provider in another process, with which this one's turns are not shared.
    private static func addForeign(_ count: Int, to url: URL) throws {
        for number in 0..<count {
            let key = FlagKeyPath(components: ["foreign\(number)"])
            while true {
                let before = try AtomicFile.read(url)
                let document = try PropertyListDocument(source: before.data).setting(.integer(1), at: key)
                let temporary = try AtomicFile.writeTemporary(document.source, beside: url, mode: before.signature.mode)
                let replacement = FileReplacement(url: url, temporary: temporary, exchanges: true)
                try replacement.install()
                let isOurs = try AtomicFile.read(temporary).data == before.data
                if !isOurs { _ = try replacement.takeBack(document.source) }
                replacement.discard { _ in }
                if isOurs { break }
            }
        }
    }

    @Test("No write that was acknowledged is lost while another process writes the same file")
    func nothingIsLost() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("flags.xml")
        let provider = LocalProvider(localURL: url)
        try provider.setStoredValue(.bool(true), at: FlagKeyPath(components: ["first"]))
        let count = 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try Self.addForeign(count, to: url) }
            group.addTask {
                for number in 0..<count {
                    try provider.setStoredValue(.integer(2), at: FlagKeyPath(components: ["own\(number)"]))
                }
            }
            try await group.waitForAll()
        }
        guard case .dictionary(let values) = try PropertyListDocument(source: Data(contentsOf: url)).root else {
            Issue.record("the root is no dictionary")
            return
        }
        for number in 0..<count {
            #expect(values["own\(number)"] == .integer(2))
            #expect(values["foreign\(number)"] == .integer(1))
        }
        #expect(values.count == 2 * count + 1)
        #expect(try folder.names == ["flags.xml"])
    }
}
