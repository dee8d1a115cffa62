import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("Hostile files")
struct HostileFilesTests {
    @Test("Each is refused with its place and its cause, as values and as a manifest", arguments: HostileFile.all)
    func refused(file: HostileFile) throws {
        let source = file.source
        let error = try #require(throws: PropertyListError.self) {
            try PropertyListDocument(source: source, maximumSize: HostileFile.maximumSize)
        }
        #expect(error.reason.contains(file.says), "\(error)")
        #expect(error.location == file.location, "\(error)")
        #expect(error.description.utf8.count < 1000)
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "a terminal would obey it")
        let manifest = try #require(throws: FlagManifestError.self) {
            try FlagManifest(source: source, maximumSize: HostileFile.maximumSize)
        }
        #expect(manifest.description == error.description && manifest.problems.isEmpty)
    }

    @Test("There are more than sixty of many kinds, each of its own name")
    func table() {
        #expect(Set(HostileFile.all.map(\.name)).count == HostileFile.all.count)
        #expect(HostileFile.all.count >= 64)
        #expect(Set(HostileFile.all.map(\.kind)).count >= 12)
    }
}
