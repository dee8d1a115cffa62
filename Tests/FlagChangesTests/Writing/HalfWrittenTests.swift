import FeatureFlags
import FlagHistory
import Foundation
import TestClock
import Testing

@testable import FlagChanges

@Suite("Files that are half written", .timeLimit(.minutes(10)))
struct HalfWrittenTests {
    let project: Project
    private let clock = ManualClock()
    private let key = FlagKeyPath.of("checkout", "limit")
    private let edited = Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>8<")

    init() throws { project = try Project() }

    private func service() throws -> ChangeService {
        var options = ChangeService.Options(clock: { Project.now })
        options.waitingClock = clock
        return try project.service(options)
    }

    /// Writes into the file that is there, as a program does that saves in place.
    private func writeInPlace(_ text: String, keepingStart: Bool = false) throws {
        let handle = try FileHandle(forWritingTo: project.file)
        defer { try? handle.close() }
        if keepingStart { try handle.seekToEnd() } else { try handle.truncate(atOffset: 0) }
        try handle.write(contentsOf: Data(text.utf8))
    }

    /// Waits until the service waits for a file.
    private func serviceIsWaiting() async throws {
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == .milliseconds(500))
    }

    @Test("A reader waits for a file that is written in two parts, and gets what it says when it is whole")
    func waitsForSecondPart() async throws {
        let service = try service()
        try writeInPlace(String(edited.prefix(300)))
        async let catalogue = service.catalogue()
        try await serviceIsWaiting()
        try writeInPlace(String(edited.dropFirst(300)), keepingStart: true)
        // No time passes: the file's own events end the wait.
        #expect(try await catalogue[key]?.resolution.effectiveValue == .integer(8))
        #expect(try service.rows().map(\.event.after) == [.integer(8)])
        #expect(try await service.fileProblems().isEmpty)
    }

    @Test("A change waits for a file that is being replaced, and is made on top of it")
    func changeWaits() async throws {
        let service = try service()
        try FileManager.default.removeItem(at: project.file)
        async let outcome = service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        try await serviceIsWaiting()
        try project.write(edited.replacingOccurrences(of: "nobody defined me", with: "edited"))
        _ = try await outcome
        #expect(try project.text().contains("edited"))
        #expect(try service.rows().map(\.event.before) == [.integer(5), .string("nobody defined me"), .integer(8)])
    }

    @Test("A file that stays broken is shown with line and column after half a second, and all wait for the same")
    func givesUp() async throws {
        let service = try service()
        try writeInPlace(String(Project.values.prefix(300)))
        async let first = service.fileProblems()
        try await serviceIsWaiting()
        clock.advance(by: .milliseconds(499))
        async let second = service.fileProblems()
        clock.advance(by: .milliseconds(1))
        for fileProblems in try await [first, second] {
            #expect(fileProblems.count == 1)
            #expect("\(fileProblems)".contains(#/flags.xml: .* at line \d+, column \d+/#), "\(fileProblems)")
        }
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        }
        #expect(refusal.reason == .unavailable)
        #expect(try project.text() == String(Project.values.prefix(300)))
        try project.write(edited)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try service.rows().map(\.event.after) == [.integer(8)])
    }

    @Test("The manifest is waited for just so")
    func waitsForManifest() async throws {
        let service = try service()
        try FileManager.default.removeItem(at: project.manifestFile)
        async let catalogue = service.catalogue()
        try await serviceIsWaiting()
        try project.writeManifest(
            Project.manifest.replacingOccurrences(of: "<integer>10</integer>", with: "<integer>20</integer>"))
        #expect(try await catalogue[key]?.definition.constraints.maximum == 20)
        #expect(try service.rows().map(\.event.key) == [key])
        try project.writeManifest("<plist>")
        async let fileProblems = service.fileProblems()
        try await serviceIsWaiting()
        clock.advance(by: .milliseconds(500))
        #expect(try await "\(fileProblems)".contains("flags.manifest.xml: invalid XML at line 1, column "))
    }

    @Test("A second file that breaks while the first is waited for gets half a second of its own")
    func waitsForEach() async throws {
        let service = try service()
        try project.write("<plist>")
        async let fileProblems = service.fileProblems()
        try await serviceIsWaiting()
        try project.writeManifest("<plist>")
        clock.advance(by: .milliseconds(500))
        try await serviceIsWaiting()
        try project.writeManifest(Project.manifest)
        clock.advance(by: .milliseconds(500))
        let shown = try await fileProblems
        #expect(shown.count == 1 && "\(shown)".contains("flags.xml"), "\(shown)")
    }
}
