import DurableFiles
import FeatureFlags
import Foundation
import Testing

@testable import FlagReferences
@testable import FlagReferencesTool

@Suite("A folder of source code")
struct SourceIndexTests {
    private let key = FlagKeyPath(components: ["a", "b"])

    private func places(_ findings: SourceIndex.Findings) -> [String] {
        findings.references.places[key]?.map { "\($0.file):\($0.position.line)" } ?? []
    }

    @Test("Changed, new and removed files are read anew, and flags that come and go are found")
    func renewal() async throws {
        let sample = try SourceSample(["A.swift": "\"a/b\"", "In/B.swift": "\n\"a/b\""])
        let index = SourceIndex(try SourceFolder(sample.url), .built)
        #expect(index.findings?.count == nil)
        #expect(try await places(index.look(for: [key])) == ["A.swift:1", "In/B.swift:2"])
        try sample.write("\n\n\"a/b\"", to: "A.swift")
        try sample.write("\"a/b\"", to: "C.swift")
        try FileManager.default.removeItem(at: sample.url.appending(path: "In"))
        #expect(try await places(index.look(for: [key])) == ["A.swift:3", "C.swift:1"])
        #expect(try await places(index.look(for: [])) == [])
        #expect(try await places(index.look(for: [key])) == ["A.swift:3", "C.swift:1"])
        #expect(index.findings?.count == 2)
    }

    @Test("A look that nobody waits for any more ends before its time")
    func cancellation() async throws {
        let sample = try SourceSample(["A.swift": "\"a/b\""])
        let index = SourceIndex(try SourceFolder(sample.url), .built)
        let key = key
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await index.look(for: [key])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(index.findings?.count == nil)
        #expect(try await places(index.look(for: [key])) == ["A.swift:1"])
    }

    @Test("Hidden folders, links and other files are left out")
    func leftOut() async throws {
        let outside = try SourceSample(["A.swift": "\"a/b\""])
        let sample = try SourceSample([".build/A.swift": "\"a/b\"", ".A.swift": "\"a/b\"", "A.txt": "\"a/b\""])
        let files = FileManager.default
        try files.createSymbolicLink(at: sample.url.appending(path: "L"), withDestinationURL: outside.url)
        try files.createSymbolicLink(
            at: sample.url.appending(path: "L.swift"), withDestinationURL: outside.url.appending(path: "A.swift"))
        let findings = try await SourceIndex(SourceFolder(sample.url), .built).look(for: [key])
        #expect(places(findings) == [] && findings.count == 0 && findings.problems == [])
    }

    @Test(
        "No text is given but that of Swift files in the folder",
        arguments: [
            "../out.swift", "/etc/passwd", "In/../A.swift", "./A.swift", "A.txt", "Link.swift", "L/A.swift",
            "None.swift",
        ])
    func confined(path: String) throws {
        let outside = try SourceSample(["A.swift": "secret"])
        let sample = try SourceSample(["A.swift": "x", "A.txt": "x", "In/B.swift": "x"])
        let files = FileManager.default
        try files.createSymbolicLink(at: sample.url.appending(path: "L"), withDestinationURL: outside.url)
        try files.createSymbolicLink(
            at: sample.url.appending(path: "Link.swift"), withDestinationURL: sample.url.appending(path: "A.swift"))
        let folder = try SourceFolder(sample.url)
        #expect(try folder.text(of: "A.swift") == "x")
        #expect(throws: SourceProblem.self) { try folder.text(of: path) }
    }

    @Test("A file that is too large is told and not read, and what is no folder is refused")
    func limits() async throws {
        let sample = try SourceSample(["A.swift": String(repeating: " ", count: SourceFolder.maximumSize + 1)])
        let findings = try await SourceIndex(SourceFolder(sample.url), .built).look(for: [key])
        #expect(findings.problems.map(\.file) == ["A.swift"] && findings.count == 1)
        #expect(throws: PlainError.self) { try SourceFolder(sample.url.appending(path: "A.swift")) }
    }

    @Test("A name that is no UTF-8 is told")
    func names() async throws {
        let sample = try SourceSample(["A.swift": "\"a/b\""])
        let name = Array(sample.url.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xFF)]
        let file = fopen(name + Array(".swift".utf8CString), "w")
        #expect(file != nil)
        fclose(file)
        let findings = try await SourceIndex(SourceFolder(sample.url), .built).look(for: [key])
        #expect(places(findings) == ["A.swift:1"])
        #expect(findings.problems.map(\.reason) == ["its name is not UTF-8; rename it"])
    }

    @Test("A task that is cancelled does not wait for the look to notice")
    func waiting() async throws {
        let sample = try SourceSample(["A.swift": "\"a/b\""])
        let (index, key) = (SourceIndex(try SourceFolder(sample.url), .built), key)
        let (began, rest) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        // Another look goes on for as long as this one does not end.
        index.turn.async {
            began.continuation.finish()
            rest.wait()
        }
        for await _ in began.stream {}
        let task = Task { try await index.look(for: [key]) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        rest.signal()
    }
}
