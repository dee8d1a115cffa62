import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Locking through a flag's form")
struct LockFormTests {
    private static let flags = [
        DashboardFixture.flag("count", "integer"),
        DashboardFixture.flag("fixed", "integer", "<key>isLocked</key><true/>"),
    ]

    @Test("An admin locks and unlocks, with a reason, and is told so")
    func locksAndUnlocks() async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>", flags: Self.flags, role: .admin)
        let before = try Data(contentsOf: fixture.manifest)
        let locked = try await fixture.post("/flags/count", ["action": "lock", "reason": "audit"])
        #expect(locked.status == 303)
        let page = try await fixture.get(try #require(locked.headers[.location]))
        #expect(page.body.contains(">Locked.</p>"))
        let refused = try await fixture.post("/flags/count", ["action": "set", "value": "4"])
        #expect(refused.status == 423)
        let again = try await fixture.post("/flags/count", ["action": "lock"])
        #expect(
            try await fixture.get(try #require(again.headers[.location])).body.contains(
                "No changes: already locked."))
        let unlocked = try await fixture.post("/flags/count", ["action": "unlock"])
        #expect(unlocked.status == 303)
        #expect(try await fixture.get(try #require(unlocked.headers[.location])).body.contains(">Unlocked.</p>"))
        #expect(try Data(contentsOf: fixture.manifest) == before)
        #expect(try await fixture.post("/flags/count", ["action": "set", "value": "4"]).status == 303)
        #expect(try fixture.rows().reversed().map(\.event.kind) == [.lock, .denied, .unlock, .set])
        #expect(try fixture.rows().last?.event.reason == "audit")
    }

    @Test("An editor may not, and a flag that is not defined can't be locked", arguments: ["lock", "unlock"])
    func refuses(action: String) async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>", flags: Self.flags)
        for key in ["count", "fixed"] {
            let answer = try await fixture.post("/flags/\(key)", ["action": "\(action)"])
            #expect(answer.status == 403)
            #expect(answer.body.contains("can&#39;t lock or unlock \(key)"))
        }
        let admin = try DashboardFixture("<key>stray</key><integer>3</integer>", flags: Self.flags, role: .admin)
        let answer = try await admin.post("/flags/stray", ["action": "\(action)"])
        #expect(answer.status == 422)
        #expect(answer.body.contains("flags.manifest.xml"))
    }

    @Test("A reason that is too long is refused for a lock as well, be the flag locked or not")
    func longReason() async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>", flags: Self.flags, role: .admin)
        let reason = String(repeating: "r", count: Change.longestReason + 1)
        #expect(try await fixture.post("/flags/count", ["action": "lock", "reason": reason]).status == 422)
        #expect(try await fixture.post("/flags/fixed", ["action": "unlock", "reason": reason]).status == 422)
        #expect(try fixture.rows().isEmpty)
    }
}
