import DurableFiles
import FeatureFlagsRemote
import Foundation
import Testing

@Suite("The file that keeps the last good values")
struct ValuesCacheTests {
    private let folder: TemporaryFolder
    private let cache: ValuesCache
    private let entry = ValuesCache.Entry(
        source: "https://flags.example.com/a\nb", shape: "json", version: #"W/"1""#,
        time: Date(timeIntervalSince1970: 1_764_064_800.5), body: Data("{\"on\": true}\n\0\n".utf8))

    init() throws {
        folder = try TemporaryFolder()
        cache = ValuesCache(folder.file("deep/er/flags.cache"), maximumSize: 100_000)
    }

    private func read() throws -> ValuesCache.Entry? { try cache.read(from: entry.source, as: entry.shape) }

    @Test func `it gives back what was written, in a folder that it makes, for its owner alone`() throws {
        #expect(try read() == nil)
        try cache.write(entry)
        #expect(try read() == entry)
        let mode = try FileManager.default.attributesOfItem(atPath: cache.file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        var other = entry
        (other.version, other.body) = (nil, Data())
        try cache.write(other)
        #expect(try read() == other)
        #expect(try folder.names == ["deep"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("deep/er").path) == ["flags.cache"])
    }

    @Test func `one that is torn at any byte, or damaged at any, is told from a whole one`() throws {
        try cache.write(entry)
        let whole = try Data(contentsOf: cache.file)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: cache.file)
            #expect(throws: RemoteError.self, "\(count) bytes") { _ = try read() }
        }
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 0x20
            try damaged.write(to: cache.file)
            #expect(throws: RemoteError.self, "byte \(place)") { _ = try read() }
        }
        try (whole + Data("x".utf8)).write(to: cache.file)
        #expect(throws: RemoteError.self) { _ = try read() }
    }

    @Test func `one of another source or shape is no one's values here`() throws {
        try cache.write(entry)
        let source = #expect(throws: RemoteError.self) { _ = try cache.read(from: "https://b", as: "json") }
        #expect(source?.description.contains("another source") == true)
        let shape = #expect(throws: RemoteError.self) { _ = try cache.read(from: entry.source, as: "records") }
        #expect(shape?.description.contains("another format, json") == true)
    }

    @Test func `another file is none, a folder neither, and a large one is not read`() throws {
        for other in ["", "{}", "flagboard-values-cache 2 0000000000000000\n{}\n"] {
            let file = folder.file("other")
            try Data(other.utf8).write(to: file)
            let error = #expect(throws: RemoteError.self) {
                _ = try ValuesCache(file, maximumSize: 100).read(from: "a", as: "json")
            }
            #expect(error?.description.contains(file.path) == true)
        }
        let isFolder = ValuesCache(folder.url, maximumSize: 100)
        #expect(throws: RemoteError.self) { _ = try isFolder.read(from: "a", as: "json") }
        #expect(throws: RemoteError.self) { try isFolder.write(entry) }
        try Data(count: 200_000).write(to: folder.file("large"))
        let large = #expect(throws: RemoteError.self) {
            _ = try ValuesCache(folder.file("large"), maximumSize: 100).read(from: "a", as: "json")
        }
        #expect(large?.description.contains("200000 bytes") == true)
    }

    @Test func `a symbolic link stays, and what it leads to is replaced`() throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("target"))
        try ValuesCache(link, maximumSize: 100_000).write(entry)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == folder.file("target").path)
        #expect(
            try ValuesCache(folder.file("target"), maximumSize: 100_000).read(from: entry.source, as: "json") == entry)
    }
}
