import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Settling what a merge left")
struct SettlingTests {
    private static let limit = FlagKeyPath.of("checkout", "limit")

    /// The comment that `flagboard git merge-driver` leaves.
    private static func comment(_ key: String, _ ours: String, _ theirs: String) -> String {
        """
        <!-- conflict: \(key)
        <<<<<<< ours, which the file holds
        \(ours)
        ||||||| base
        no value
        =======
        \(theirs)
        >>>>>>> theirs
        -->
        """
    }

    private let value = "\t\t<integer>5</integer>\n"

    private func project(theirs: String = "<integer>8</integer>") throws -> Project {
        try Project(
            values: Project.values.replacing(
                value, with: value + Self.comment("checkout/limit", "<integer>5</integer>", theirs) + "\n"))
    }

    private func settle(
        _ side: ValueChange.MergeSide, _ service: ChangeService, key: FlagKeyPath = limit
    ) async throws -> ChangeOutcome {
        try await service.apply(Change(key: key, action: .settle(side), reason: "Agreed"), by: Project.author)
    }

    @Test("The other version takes the place of the value, and the comment goes: no other byte changes")
    func theirs() async throws {
        let project = try project()
        let service = try project.service()
        #expect(try await service.overview().conflicts.map(\.theirs) == [.integer(8)])
        let preview = try await service.preview(
            ChangeRequest([Change(key: Self.limit, action: .settle(.theirs))], by: Project.author))
        #expect(preview.map(\.before) == [.integer(5)] && preview.map(\.after) == [.integer(8)])
        guard case .applied(let row) = try await settle(.theirs, service) else {
            Issue.record("nothing was settled")
            return
        }
        #expect(row.event.kind == .set && row.event.before == .integer(5) && row.event.after == .integer(8))
        #expect(try project.text() == Project.values.replacing("<integer>5</integer>", with: "<integer>8</integer>"))
        #expect(try await service.overview().conflicts == [])
    }

    @Test("What the file has is kept by a change of its own, which removes the comment and nothing else")
    func ours() async throws {
        let project = try project()
        let service = try project.service()
        let preview = try await service.preview(
            ChangeRequest([Change(key: Self.limit, action: .settle(.ours))], by: Project.author))
        #expect(preview.map(\.changesNothing) == [false])
        guard case .applied(let row) = try await settle(.ours, service) else {
            Issue.record("nothing was settled")
            return
        }
        #expect(row.event.before == .integer(5) && row.event.after == .integer(5) && row.event.reason == "Agreed")
        #expect(try project.text() == Project.values)
        #expect(try await service.overview().conflicts == [])
        #expect(try service.rows().count == 1)
    }

    @Test("Nothing is a version too: then the flag is reset")
    func absent() async throws {
        let project = try project(theirs: "no value")
        let service = try project.service()
        guard case .applied(let row) = try await settle(.theirs, service) else {
            Issue.record("nothing was settled")
            return
        }
        #expect(row.event.kind == .reset && row.event.after == nil)
        let entry = "\t\t<key>limit</key>\n" + value
        #expect(try project.text() == Project.values.replacing(entry, with: ""))
    }

    @Test("Two conflicts of a file are settled together, and where that can't be, none is")
    func together() async throws {
        let region = "\t\t<true/>\n"
        let project = try Project(
            values: try project().text().replacing(
                region, with: region + Self.comment("checkout/enabled", "<true/>", "<false/>") + "\n"))
        let service = try project.service()
        let changes = [
            Change(key: Self.limit, action: .settle(.theirs)),
            Change(key: .of("checkout", "enabled"), action: .settle(.theirs)),
        ]
        _ = try await service.apply(ChangeRequest(changes, by: Project.author))
        #expect(
            try project.text()
                == Project.values.replacing("<integer>5</integer>", with: "<integer>8</integer>").replacing(
                    "<true/>", with: "<false/>"))
        await #expect(throws: BatchError.self) { try await service.apply(ChangeRequest(changes, by: Project.author)) }
    }

    @Test("A version that the flag does not take is refused, and so is a conflict that is settled already or locked")
    func refused() async throws {
        let unfit = try project(theirs: "<integer>80</integer>")
        let service = try unfit.service()
        let before = try unfit.text()
        for (key, side, reason) in [
            (Self.limit, ValueChange.MergeSide.theirs, ChangeError.Reason.invalid),
            (.of("checkout", "enabled"), .ours, .invalid), (.of("checkout", "region"), .ours, .locked),
        ] {
            let refusal = await #expect(throws: ChangeError.self) { try await settle(side, service, key: key) }
            #expect(refusal?.reason == reason, "\(key)")
        }
        #expect(try unfit.text() == before)
    }

    @Test(
        "A version of a field of a definition is chosen by an admin, and the other bytes of the manifest stay",
        arguments: [ValueChange.MergeSide.ours, .theirs])
    func field(side: ValueChange.MergeSide) async throws {
        let maximum = "<key>maximum</key><integer>10</integer>"
        let comment = Self.comment("checkout/limit maximum", "<integer>10</integer>", "<integer>8</integer>")
        let project = try Project(
            manifest: Project.manifest.replacing(maximum, with: "\(maximum)\n\(comment)"))
        let service = try project.service()
        #expect(try await service.overview().conflicts.map(\.field) == ["maximum"])
        let change = Change(key: Self.limit, action: .settle(side, field: "maximum"))
        let editor = ChangeAuthor(name: "eve", role: .editor, origin: .form)
        await #expect(throws: ChangeError.self) { try await service.apply(change, by: editor) }
        guard case .applied(let row) = try await service.apply(change, by: Project.author) else {
            Issue.record("nothing was settled")
            return
        }
        #expect(row.event.kind == .redefine && row.event.provider == nil)
        let text = String(decoding: try Data(contentsOf: project.manifestFile), as: UTF8.self)
        let chosen = side == .ours ? maximum : maximum.replacing("10", with: "8")
        #expect(text == Project.manifest.replacing(maximum, with: chosen))
        #expect(try await service.overview().conflicts == [])
        await #expect(throws: ChangeError.self) { try await service.apply(change, by: Project.author) }
    }

    @Test("A version of a definition that a stored value breaks is refused")
    func breakingField() async throws {
        let maximum = "<key>maximum</key><integer>10</integer>"
        let comment = Self.comment("checkout/limit maximum", "<integer>10</integer>", "<integer>2</integer>")
        let project = try Project(
            manifest: Project.manifest.replacing(maximum, with: "\(maximum)\n\(comment)"))
        let service = try project.service()
        let refusal = await #expect(throws: ChangeError.self) {
            try await service.apply(
                Change(key: Self.limit, action: .settle(.theirs, field: "maximum")), by: Project.author)
        }
        #expect(refusal?.reason == .invalid)
        #expect(try String(contentsOf: project.manifestFile, encoding: .utf8).contains(comment))
    }

    @Test("The operator is told of each conflict once, and nobody else of that of an internal flag")
    func told() async throws {
        let log = Log()
        let secret = "\t\t<string>secret</string>\n"
        let project = try Project(
            values: try project().text().replacing(
                secret,
                with: secret + Self.comment("hidden/token", "<string>secret</string>", "<string>other</string>") + "\n")
        )
        var options = ChangeService.Options(clock: { Project.now })
        options.log = { log.add($0) }
        let service = try project.service(options)
        #expect(log.lines.count { $0.contains("checkout/limit: unresolved merge conflict") } == 1)
        #expect(log.lines.count { $0.contains("hidden/token: unresolved merge conflict") } == 1)
        #expect(try await service.overview().conflicts.map(\.key) == [Self.limit])
        _ = try await service.apply(Change(key: .of("checkout", "enabled"), action: .reset), by: Project.author)
        _ = try await service.overview()
        #expect(log.lines.count { $0.contains("unresolved merge conflict") } == 2)
    }
}
