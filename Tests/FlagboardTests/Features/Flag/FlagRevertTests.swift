import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Putting back from a flag's history")
struct FlagRevertTests {
    private static let flags = [
        DashboardFixture.flag("count", "integer", "<key>default</key><integer>5</integer>"),
        DashboardFixture.flag("slow", "bool", "<key>requiresRestart</key><true/>"),
    ]

    private func fixture(role: ChangeAuthor.Role = .editor) throws -> DashboardFixture {
        try DashboardFixture("<key>count</key><integer>3</integer>", flags: Self.flags, role: role)
    }

    private func set(_ value: String, _ fixture: DashboardFixture) async throws {
        let revision = try #require(try await fixture.get("/flags/count").field("revision"))
        let answer = try await fixture.post("/flags/count", ["action": "set", "value": value, "revision": revision])
        #expect(answer.status == 303)
    }

    /// The forms of the page's rows, as fields to send, by the number of the change.
    private func forms(_ page: DashboardFixture.Answer) -> [String: (revision: String, meaning: String)] {
        let form =
            /class="undo" method="post" action="\/flags\/count"><input type="hidden" name="change" value="(\d+)"><input type="hidden" name="deed" value="[a-z]+"><input type="hidden" name="revision" value="([^"]*)"><button [^>]*aria-label="([^"]*)"/
        return Dictionary(
            uniqueKeysWithValues: page.body.matches(of: form).map { (String($0.1), (String($0.2), String($0.3))) })
    }

    @Test("Each row puts back what was before it, the newest own one by the name of Undo")
    func rows() async throws {
        let fixture = try fixture()
        try await set("4", fixture)
        try await set("7", fixture)
        let page = try await fixture.get("/flags/count")
        #expect(
            forms(page).mapValues(\.meaning) == [
                "2": "Undo change 2: set Local to 4", "1": "Revert change 1: set Local to 3",
            ])

        let older = try #require(forms(page)["1"])
        let answer = try await fixture.post(
            "/flags/count", ["action": "undo", "change": "1", "revision": older.revision])
        #expect(answer.status == 303)
        let row = try #require(try fixture.rows().first).event
        #expect(row.after == .integer(3) && row.before == .integer(7) && row.origin == .revert)
        #expect(row.reason == "Back to before change 1")
        let shown = try await fixture.get(try #require(answer.headers[.location]))
        #expect(shown.body.contains("Undone. Back to 3"))
        // The value of before the first change is there again, so that one has nothing to put back.
        #expect(Set(forms(shown).keys) == ["3", "2"])
    }

    @Test("What a person changed since the page was shown is not replaced")
    func conflict() async throws {
        let fixture = try fixture()
        try await set("4", fixture)
        try await set("7", fixture)
        let revision = try #require(forms(try await fixture.get("/flags/count"))["1"]).revision
        try await set("8", fixture)
        let answer = try await fixture.post("/flags/count", ["action": "undo", "change": "1", "revision": revision])
        #expect(answer.status == 409 && answer.body.contains("This flag changed while you were editing"))
        #expect(try fixture.rows().first?.event.after == .integer(8))
    }

    @Test("An edit from outside is put back too")
    func external() async throws {
        let fixture = try fixture()
        let text = try String(contentsOf: fixture.file, encoding: .utf8)
        try Data(text.replacing("<integer>3<", with: "<integer>9<").utf8).write(to: fixture.file)
        let page = try await fixture.get("/flags/count")
        let form = try #require(forms(page).first)
        #expect(form.value.meaning == "Revert change \(form.key): set Local to 3")
        let answer = try await fixture.post(
            "/flags/count", ["action": "undo", "change": form.key, "revision": form.value.revision])
        #expect(answer.status == 303)
        #expect(try fixture.rows().first?.event.reason == "Undo change \(form.key)")
        #expect(try String(contentsOf: fixture.file, encoding: .utf8) == text)
    }

    @Test("A viewer has no such button, nor has a locked flag, and a definition is looked at first")
    func whoMay() throws {
        let change = Samples.record(2, "n", before: .integer(3), after: .integer(4))
        let defined = Samples.record(1, "n", .define, after: .dictionary([:]), provider: nil)
        let entry = Samples.entry("n", .integer, stored: .integer(4))
        func labels(_ entry: FlagEntry, by role: ChangeAuthor.Role) -> [String] {
            Samples.page(entry, [change, defined], by: role).history.map { $0.revert?.label ?? "" }
        }
        #expect(labels(entry, by: .viewer) == ["", ""])
        #expect(labels(entry, by: .editor) == ["Undo", ""])
        #expect(labels(entry, by: .admin) == ["Undo", "Revert…"])
        let locked = Samples.entry("n", .integer, stored: .integer(4), metadata: FlagMetadata(isLocked: true))
        #expect(labels(locked, by: .admin) == ["", "Undo…"])
    }

    @Test("Of many changes the newest are shown, and the others are folded")
    func folds() {
        let entry = Samples.entry("n", .integer, stored: .integer(9))
        func page(_ count: Int) -> FlagPage {
            Samples.page(
                entry, (1...count).reversed().map { Samples.record(Int64($0), "n", after: .integer(Int128($0))) })
        }
        #expect(page(6).history.count == 6 && page(6).earlierText == nil)
        #expect(page(7).history.map(\.id) == [7, 6, 5, 4, 3] && page(7).earlierText == "2 earlier changes")
        #expect(page(7).earlierHistory.map(\.id) == [2, 1])
    }

    @Test("A flag that needs a restart asks before it puts anything back")
    func restart() {
        let entry = Samples.entry(
            "slow", .bool, stored: .bool(true), metadata: FlagMetadata(requiresRestart: true))
        let change = Samples.record(1, "slow", before: .bool(false), after: .bool(true))
        #expect(Samples.page(entry, [change]).history.first?.revert?.asksFirst == true)
    }
}
