import Foundation
import Testing

@Suite("The floor plan")
struct FloorPlanTests {
    private static let root = Samples.templates.deletingLastPathComponent()

    /// The folders below a folder of the project, as paths within it; those of documentation are left out.
    private func folders(in name: String) throws -> Set<String> {
        let root = Self.root.appending(path: name)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
        return Set(
            try paths.filter { path in
                guard !path.contains(".docc"), !path.hasSuffix("/include") else { return false }
                return try root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            })
    }

    @Test("The map in CONTRIBUTING.md names every folder of Sources, in their order, and no other")
    func map() throws {
        let text = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let start = try #require(text.range(of: "    Sources/\n"))
        var parents: [(indent: Int, path: String)] = []
        var named: [String] = []
        for line in text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false) {
            guard let match = line.wholeMatch(of: /( +)([A-Za-z0-9]+)\/ +(\S.*)/) else { break }
            let indent = match.1.count
            parents.removeAll { $0.indent >= indent }
            let path = ((parents.last.map { [$0.path] } ?? []) + [String(match.2)]).joined(separator: "/")
            parents.append((indent, path))
            named.append(path)
        }
        #expect(Set(named).count == named.count)
        #expect(Set(named).symmetricDifference(try folders(in: "Sources")) == [])
    }

    @Test("No folder of Sources has more than 20 Swift files")
    func sizes() throws {
        let root = Self.root.appending(path: "Sources")
        for folder in try folders(in: "Sources") {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: root.appending(path: folder).path(percentEncoded: false))
            #expect(names.count { $0.hasSuffix(".swift") } <= 20, "\(folder)")
        }
    }

    @Test("Templates, style sheets and scripts have the folders of the features that they belong to")
    func resources() throws {
        let features = try folders(in: "Sources/Dashboard/Flagboard/Features")
        let parts = Set(try folders(in: "Sources/Dashboard/Flagboard/Parts").map { "Parts/\($0)" } + ["Parts"])
        for name in ["Templates", "Public"] {
            #expect(try folders(in: name).subtracting(features).subtracting(parts) == [], "\(name)")
        }
    }

    @Test("Tests have the folders of what they test")
    func tests() throws {
        let own: Set<String> = ["Support", "Seeds"]
        for path in try folders(in: "Sources").filter({ $0.count { $0 == "/" } == 1 }) {
            let target = path.split(separator: "/")[1]
            let tests = Self.root.appending(path: "Tests/\(target)Tests").path(percentEncoded: false)
            guard FileManager.default.fileExists(atPath: tests) else { continue }
            let strays = try folders(in: "Tests/\(target)Tests").subtracting(try folders(in: "Sources/\(path)"))
            #expect(strays.subtracting(own) == [], "\(target)Tests")
        }
    }
}
