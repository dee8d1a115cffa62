import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("What a role may change")
struct RoleTests {
    let project: Project

    init() throws { project = try Project() }

    private func author(_ role: ChangeAuthor.Role) -> ChangeAuthor {
        ChangeAuthor(name: "vic", role: role, origin: .api)
    }

    @Test("A viewer changes nothing, and the attempt is recorded", arguments: [Change.Action.setText("7"), .reset])
    func viewer(action: Change.Action) async throws {
        let service = try project.service()
        let change = Change(key: .of("checkout", "limit"), action: action, reason: "please")
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(change, by: author(.viewer))
        }
        #expect(refusal.reason == .notAllowed)
        #expect(refusal.description.contains("checkout/limit") && refusal.description.contains("vic"))
        #expect(try project.text() == Project.values)
        let row = try #require(try service.rows().last?.event)
        #expect(row.kind == .denied && row.actor == "vic" && row.role == "viewer")
    }

    @Test("A viewer does not learn by the refusal which internal flags there are")
    func internalFlags() async throws {
        let service = try project.service()
        for key in [FlagKeyPath.of("hidden", "token"), .of("hidden", "none")] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: .reset), by: author(.viewer))
            }
            #expect(refusal.reason == .unknown)
        }
        #expect(try service.rows().isEmpty)
    }

    @Test("An editor and an admin change values", arguments: [ChangeAuthor.Role.editor, .admin])
    func others(role: ChangeAuthor.Role) async throws {
        let service = try project.service()
        let change = Change(key: .of("checkout", "limit"), action: .setText("7"))
        #expect(try await service.apply(change, by: author(role)) != .unchanged)
        #expect(try service.rows().last?.event.role == role.rawValue)
    }
}
