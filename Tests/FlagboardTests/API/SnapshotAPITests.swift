import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("All flags at one moment, to a replica")
struct SnapshotAPITests {
    private func snapshot(_ fixture: DashboardFixture, _ query: String = "") async throws -> [String: Any] {
        let answer = try await fixture.get("/api/v1/snapshot\(query)")
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    @Test(
        "The hash of a row that was told before shows whether the history is the same, also of an internal flag's row")
    func knownHash() async throws {
        let fixture = try DashboardFixture(
            "<key>count</key><integer>3</integer><key>secret</key><integer>1</integer>",
            flags: [
                DashboardFixture.flag("count", "integer"),
                DashboardFixture.flag("secret", "integer", "<key>isInternal</key><true/>"),
            ])
        _ = try await fixture.get("/api/v1/flags")
        let edited = "<dict><key>count</key><integer>3</integer><key>secret</key><integer>2</integer></dict>"
        try Data(DashboardFixture.plist(edited).utf8).write(to: fixture.file)
        let first = try await snapshot(fixture)
        let row = try #require(first["row"] as? Int)
        #expect(try await fixture.get("/api/v1/history/\(row)").status == 404)
        #expect(try await fixture.post("/flags/count", ["action": "set", "value": "4"]).status == 303)
        let second = try await snapshot(fixture, "?known=\(row)")
        #expect(second["row"] as? Int == row + 1)
        #expect(second["knownHash"] as? String == first["hash"] as? String)
        let nothing = try await snapshot(fixture, "?known=0")
        #expect(nothing["knownHash"] as? String == ChainHead.empty.hash.hexadecimal)
    }

    @Test(
        "A row that the history has not, and no row asked for, have no hash", arguments: ["", "?known=99", "?known=-1"])
    func unknownRow(query: String) async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>")
        #expect(try await snapshot(fixture, query)["knownHash"] == nil)
    }

    @Test("What is no number of a row is refused", arguments: ["first", "1.5", "9223372036854775808"])
    func noRow(text: String) async throws {
        let fixture = try DashboardFixture("<key>count</key><integer>3</integer>")
        let answer = try await fixture.get("/api/v1/snapshot?known=\(text)")
        #expect(answer.status == 400 && answer.body.contains("known must be the number of a change"), "\(answer.body)")
    }
}
