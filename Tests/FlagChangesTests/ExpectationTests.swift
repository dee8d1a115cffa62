import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("What a batch expects of flags that it leaves alone")
struct ExpectationTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")
    private let region = FlagKeyPath.of("checkout", "region")

    init() throws { project = try Project() }

    private func expect(_ value: FlagValue?, _ key: FlagKeyPath) -> ValueExpectation {
        ValueExpectation(key: key, provider: "Local", revision: FlagRevision(of: value))
    }

    @Test("A batch is made where the flags that it leaves alone are as they were, locked ones too")
    func met() async throws {
        let service = try project.service()
        let outcomes = try await service.apply(
            batch: [Change(key: limit, action: .setText("6"))],
            expecting: [expect(.bool(true), enabled), expect(.string("north"), region), expect(nil, .of("none"))],
            by: Project.author)
        #expect(outcomes.count == 1)
        #expect(try service.rows().map(\.event.key) == [limit])
    }

    @Test("Where one of them has changed nothing is made, and the refusal names each and what it holds now")
    func overlooked() async throws {
        let service = try project.service()
        let before = try project.text()
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(
                batch: [Change(key: limit, action: .setText("6"))],
                expecting: [
                    expect(.bool(false), enabled), expect(.string("north"), region), expect(.integer(1), .of("none")),
                ], by: Project.author)
        }
        #expect(refusal.overlooked == [enabled, .of("none")] && refusal.changes.isEmpty)
        #expect(refusal.cause.conflict?.theirs.value == .bool(true) && refusal.cause.key == enabled)
        #expect(refusal.description.contains("checkout/enabled was changed in the meantime"))
        #expect(try project.text() == before)
        #expect(try service.rows().isEmpty)
    }

    @Test("An edit from outside that nobody has looked at yet counts")
    func outside() async throws {
        let service = try project.service()
        _ = try await service.overview()
        try project.write(try project.text().replacing("<true/>", with: "<false/>"))
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(
                batch: [Change(key: limit, action: .setText("6"))], expecting: [expect(.bool(true), enabled)],
                by: Project.author)
        }
        #expect(refusal.overlooked == [enabled])
        #expect(try service.rows().map(\.event.kind) == [.external])
    }

    @Test("So does what a request changes that is settled just before, and a repetition gets the first answer")
    func queued() async throws {
        let service = try project.service()
        var author = Project.author
        author.idempotencyKey = "k"
        let batch = [Change(key: limit, action: .setText("6"))]
        let expectations = [expect(.bool(true), enabled)]
        let first = try await service.apply(batch: batch, expecting: expectations, by: author)
        let off = Change(key: enabled, action: .setText("false"))
        _ = try await service.apply(off, by: Project.author)
        #expect(try await service.apply(batch: batch, expecting: expectations, by: author) == first)
        let other = try await #require(throws: BatchRefusal.self) {
            try await service.apply(batch: batch, by: author)
        }
        #expect(other.cause.reason == .keyReused)
        author.idempotencyKey = "l"
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(batch: batch, expecting: expectations, by: author)
        }
        #expect(refusal.overlooked == [enabled])
    }

    @Test("Where the file can't be read, no flag is said to have changed")
    func unreadable() async throws {
        let service = try project.service()
        try project.write("<plist>")
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(
                batch: [Change(key: limit, action: .setText("6"))], expecting: [expect(.bool(true), enabled)],
                by: Project.author)
        }
        #expect(refusal.cause.reason == .unavailable && refusal.overlooked.isEmpty)
    }

    @Test("Of an internal flag nobody learns what it holds: it holds nothing")
    func hidden() async throws {
        let service = try project.service()
        let token = FlagKeyPath.of("hidden", "token")
        let batch = [Change(key: limit, action: .setText("6"))]
        let refusal = try await #require(throws: BatchRefusal.self) {
            try await service.apply(
                batch: batch, expecting: [expect(.string("secret"), token)], by: Project.author)
        }
        #expect(refusal.cause.conflict?.theirs.value == nil)
        #expect(try await service.apply(batch: batch, expecting: [expect(nil, token)], by: Project.author).count == 1)
    }
}
