import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("The rules of an environment")
struct EnvironmentRulesTests {
    private static let both = EnvironmentRules(requiresReason: true, confirmsChanges: true)
    private static let limit = FlagKeyPath.of("checkout", "limit")

    /// A way in: what is asked for, and its origin.
    struct WayIn: CustomTestStringConvertible, Sendable {
        let name: String
        let origin: HistoryRecord.Origin
        let changes: [Change]

        var testDescription: String { name }

        static let all = [
            WayIn(name: "a form", origin: .form, changes: [set(6)]),
            WayIn(name: "the API", origin: .api, changes: [set(6)]),
            WayIn(name: "the command line", origin: .cli, changes: [Change(key: limit, action: .reset)]),
            WayIn(name: "an import", origin: .import, changes: [set(6)]),
            WayIn(name: "a revert", origin: .revert, changes: [Change(key: limit, action: .putBack(.integer(6)))]),
            WayIn(
                name: "a batch", origin: .form,
                changes: [set(6), Change(key: .of("checkout", "fast"), action: .setText("false"))]),
            WayIn(name: "a lock", origin: .form, changes: [Change(key: limit, action: .lock)]),
            WayIn(
                name: "a renaming", origin: .form,
                changes: [Change(key: limit, action: .rename(.of("checkout", "most")))]),
        ]

        private static func set(_ value: Int) -> Change {
            Change(key: limit, action: .setValue(.integer(Int128(value))))
        }
    }

    private func service(
        _ project: Project, _ rules: EnvironmentRules, others: [FlagFiles.Provider] = []
    ) throws -> ChangeService {
        var options = ChangeService.Options(clock: { Project.now })
        options.rules = rules
        return try ChangeService(
            files: FlagFiles(values: project.file, environment: "Production", others: others), options: options)
    }

    private func attempt(
        _ way: WayIn, reason: String, confirming names: Set<String>, _ service: ChangeService
    ) async -> ChangeError? {
        var author = ChangeAuthor(name: "ada", role: .admin, origin: way.origin)
        author.confirmedEnvironments = names
        let changes = way.changes.map { change in
            var change = change
            change.reason = reason
            return change
        }
        do throws(BatchError) {
            let outcomes = try await service.apply(ChangeRequest(changes, by: author))
            #expect(outcomes.count == changes.count)
            return nil
        } catch {
            return error.cause
        }
    }

    @Test("Every way in meets both rules, and is let in with a reason and the name", arguments: WayIn.all)
    func ways(way: WayIn) async throws {
        let project = try Project()
        let before = try project.text()
        let service = try service(project, Self.both)
        let bare = await attempt(way, reason: " ", confirming: [], service)
        #expect(bare?.reason == .reasonRequired && bare?.description == "Production requires a reason.")
        #expect(
            bare?.remedy
                == "Add a reason (--reason WHY). Confirm with confirm=Production (--confirm Production) as well. "
                + "Nothing was changed.")
        #expect(await attempt(way, reason: "", confirming: ["Production"], service)?.reason == .reasonRequired)
        for names in [[], ["production"], ["Local"]] as [Set<String>] {
            let refusal = await attempt(way, reason: "why", confirming: names, service)
            #expect(refusal?.reason == .confirmationRequired)
            #expect(refusal?.remedy == "Send confirm=Production (--confirm Production). Nothing was changed.")
        }
        #expect(try project.text() == before)
        #expect(try service.rows().isEmpty)
        #expect(await attempt(way, reason: "why", confirming: ["Production"], service) == nil)
        #expect(try !service.rows().isEmpty)
    }

    @Test(
        "Options and manifest count together, each for its own rule",
        arguments: [
            (EnvironmentRules(requiresReason: true), "", [ChangeError.Reason.reasonRequired, nil, nil]),
            (EnvironmentRules(confirmsChanges: true), "", [.confirmationRequired, .confirmationRequired, nil]),
            (
                EnvironmentRules(requiresReason: true), "<key>confirmsChanges</key><true/>",
                [.reasonRequired, .confirmationRequired, nil]
            ),
            (.none, "<key>requiresReason</key><true/>", [.reasonRequired, nil, nil]),
            (.none, "<key>requiresReason</key><false/>", [nil, nil, nil]),
        ] as [(EnvironmentRules, String, [ChangeError.Reason?])])
    func together(options: EnvironmentRules, manifest: String, expected: [ChangeError.Reason?]) async throws {
        for (attempt, expected) in zip([("", []), ("why", []), ("why", ["Production"])], expected) {
            let project = try Project()
            try project.writeManifest(Self.manifest(with: "<key>Production</key><dict>\(manifest)</dict>"))
            let service = try service(project, options)
            let refusal = await self.attempt(
                WayIn.all[0], reason: attempt.0, confirming: Set(attempt.1), service)
            #expect(refusal?.reason == expected)
        }
    }

    private static func manifest(with environments: String) -> String {
        Project.manifest.replacing(
            "<key>flags</key>", with: "<key>environments</key><dict>\(environments)</dict><key>flags</key>")
    }

    @Test("The rules of another environment's file are those of the manifest, by its name")
    func others() async throws {
        let project = try Project()
        try project.writeManifest(
            Self.manifest(with: "<key>staging</key><dict><key>requiresReason</key><true/></dict>"))
        let url = project.folder.appending(path: "staging.xml")
        try Data(Project.plist("").utf8).write(to: url)
        let service = try service(
            project, EnvironmentRules(confirmsChanges: true),
            others: [FlagFiles.Provider(name: "staging", url: url, isWritable: true, isAsked: false)])
        func change(_ reason: String) -> Change {
            Change(key: Self.limit, action: .setText("6"), provider: "staging", reason: reason)
        }
        let refusal = await #expect(throws: ChangeError.self) {
            try await service.apply(change(""), by: Project.author)
        }
        #expect(refusal?.description == "staging requires a reason.")
        _ = try await service.apply(change("why"), by: Project.author)
        #expect(try service.rows().map(\.event.provider) == ["staging"])
    }

    @Test("A preview, a reason added later, and a change that changes nothing need neither")
    func without() async throws {
        let project = try Project()
        let service = try service(project, Self.both)
        let change = Change(key: Self.limit, action: .setText("6"))
        let preview = try await service.preview(ChangeRequest([change], by: Project.author))
        #expect(preview.map(\.refusal) == [nil] && preview.map(\.after) == [.integer(6)])
        let same = Change(key: Self.limit, action: .setText("5"))
        #expect(try await service.apply(same, by: Project.author) == .unchanged)
        #expect(await attempt(WayIn.all[0], reason: "why", confirming: ["Production"], service) == nil)
        let record = try #require(try service.rows().last)
        _ = try await service.apply(.note(on: record, reason: "because"), by: Project.author)
        #expect(try service.rows().last?.event.kind == .note)
    }

    @Test(
        "A rule that is neither true nor false makes the manifest invalid, and a misspelled one is told",
        arguments: [
            ("<key>Production</key><dict><key>requiresReason</key><string>yes</string></dict>", "requiresReason"),
            ("<key>Production</key><true/>", "Production"),
        ])
    func invalid(environments: String, named: String) throws {
        let error = #expect(throws: FlagManifestError.self) {
            try FlagManifest(source: Data(Self.manifest(with: environments).utf8))
        }
        #expect(error?.description.contains(named) == true)
        let misspelled = "<key>Production</key><dict><key>requireReason</key><true/></dict>"
        let fields = try FlagManifest(source: Data(Self.manifest(with: misspelled).utf8)).unknownFields
        #expect(fields.map(\.name) == ["environments/Production/requireReason"])
        #expect(fields.first?.advice == "did you mean requiresReason?")
    }
}
