import Foundation
import Testing

@testable import FeatureFlags

@Suite("The names that a loader hides")
struct HiddenNamesTests {
    /// The names of the public members in the source of a loader, its extensions and its protocol.
    private func declaredNames() throws -> Set<String> {
        let library = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/Library")
        let files = try FileManager.default.subpathsOfDirectory(atPath: library.path).filter { $0.hasSuffix(".swift") }
        var names: Set<String> = []
        for file in files {
            var (isInside, isInProtocol) = (false, false)
            for line in try String(contentsOf: library.appending(path: file), encoding: .utf8).split(separator: "\n") {
                if let start = line.prefixMatch(
                    of:
                        /(?:public final class FlagsLoader|(public protocol AnyFlagsLoader)|extension (?:Any)?FlagsLoader)\b/
                ) {
                    (isInside, isInProtocol) = (true, start.1 != nil)
                } else if line.hasPrefix("}") {
                    isInside = false
                } else if isInside,
                    let member = line.prefixMatch(of: /\ {4}(public )?(?:static )?(?:func|var|let) (\w+)/),
                    isInProtocol || member.1 != nil
                {
                    names.insert(String(member.2))
                }
            }
        }
        return names
    }

    @Test("Each public member of the loader is one of them, and nothing else is")
    func members() throws {
        let names = try declaredNames()
        #expect(names.isSuperset(of: ["loadedCollection", "snapshot", "writeManifest", "featureFlags"]))
        #expect(names == membersOfLoader)
    }
}
