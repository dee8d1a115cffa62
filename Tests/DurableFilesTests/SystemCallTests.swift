import Foundation
import Testing

@Suite("System calls")
struct SystemCallTests {
    @Test("Files are made, written, locked and removed by the calls of DurableFiles alone")
    func oneTarget() throws {
        let calls = /\b(O_CREAT|O_WRONLY|O_EXCL|(fsync|flock|ftruncate|unlink|mkdir|fchmod|fchown|pwrite|renameat)\()/
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        var places: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where name.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            // Library/FeatureFlags/Keys/FlagKeyPath.swift
            let target = String(name.split(separator: "/")[1])
            places[target, default: 0] += text.matches(of: calls).count
        }
        #expect(places.filter { $0.value > 0 }.keys.sorted() == ["DurableFiles"])
        #expect(places.count > 5)
    }
}
