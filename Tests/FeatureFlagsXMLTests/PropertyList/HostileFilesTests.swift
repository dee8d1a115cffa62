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

    @Test(
        "What can't be understood breaks its value alone, says why in a short line, and keeps its bytes",
        arguments: HostileFile.withBrokenValues)
    func broken(file: HostileFile) throws {
        let document = try PropertyListDocument(source: file.source, maximumSize: HostileFile.maximumSize)
        guard case .dictionary(let values) = document.root, case .broken(let value)? = values["a"] else {
            Issue.record("its value is not broken")
            return
        }
        #expect(document.source == file.source)
        #expect(value.problem.contains(file.says), "\(value.problem)")
        #expect(value.problem.utf8.count < 1000)
        #expect(value.problem.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "a terminal would obey it")
    }

    @Test("There are more than sixty of many kinds, each of its own name")
    func table() {
        #expect(Set(HostileFile.all.map(\.name)).count == HostileFile.all.count)
        #expect(HostileFile.all.count >= 64)
        #expect(Set(HostileFile.all.map(\.kind)).count >= 12)
    }
}
