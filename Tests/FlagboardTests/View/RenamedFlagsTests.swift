import FeatureFlags
import FlagChanges
import FlagHistory
import Testing

@testable import Flagboard

@Suite("Flags that were renamed")
struct RenamedFlagsTests {
    @Test("They are found by a mark, also those that are renamed later, and no others")
    func mark() async throws {
        let fixture = try DashboardFixture(
            "<key>old</key><integer>3</integer>",
            flags: [DashboardFixture.flag("old", "integer"), DashboardFixture.flag("other", "bool")], role: .admin)
        func found() async throws -> [String] {
            let answer = try await fixture.get("/api/v1/flags?state=renamed")
            #expect(answer.status == 200)
            return answer.body.matches(of: /"key":"(\w+)"/).map { String($0.output.1) }
        }
        func rename(_ key: String, to other: String) async throws {
            let author = ChangeAuthor(name: "ada", role: .admin, origin: .form)
            _ = try await fixture.service.apply(
                Change(key: Samples.key(key), action: .definition(.rename(Samples.key(other)))), by: author)
        }
        #expect(try await found().isEmpty)
        try await rename("old", to: "new")
        #expect(try await found() == ["new"])
        let list = try await fixture.get("/?state=renamed").body
        #expect(list.contains("1 of 2 flags") && list.contains("data-flag=\"new\""))
        #expect(try await fixture.get("/").body.contains("Renamed</bdi> <span class=\"tally\">1</span>"))
        try await rename("other", to: "another")
        try await rename("new", to: "newest")
        #expect(try await found() == ["newest", "another"])
    }

    @Test("A flag that is removed and another one that is defined with it are no renaming")
    func noRenaming() async throws {
        let fixture = try DashboardFixture(
            "", flags: [DashboardFixture.flag("old", "integer")], role: .admin)
        let edit = try #require(
            DefinitionEdit(entry: .dictionary(["key": .string("fresh"), "type": .string("bool")]), breaksValues: false))
        let changes = [
            Change(key: Samples.key("old"), action: .definition(.remove(withValues: true))),
            Change(key: Samples.key("fresh"), action: .definition(.define(edit))),
        ]
        _ = try await fixture.service.apply(
            ChangeRequest(changes, by: ChangeAuthor(name: "ada", role: .admin, origin: .form)))
        #expect(try fixture.service.history.renamedKeys(after: 0, through: 99).isEmpty)
        #expect(try fixture.rows().count == 2)
    }
}
