import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("The list of flags, to those who have it already")
struct FlagListTagTests {
    private func fixture() throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")])
    }

    private func ask(
        _ fixture: DashboardFixture, _ path: String = "/api/v1/flags", knowing tag: String
    ) async throws -> DashboardFixture.Answer {
        try await fixture.ask(.get, path, [.ifNoneMatch: tag])
    }

    @Test("A list that is known by its tag is not sent again, by whichever spelling of the header")
    func known() async throws {
        let fixture = try fixture()
        let first = try await fixture.get("/api/v1/flags?type=integer")
        let tag = try #require(first.headers[.eTag])
        #expect(tag.hasPrefix("W/\"") && first.headers[.cacheControl] == "no-store")
        for header in [tag, String(tag.dropFirst(2)), "\"other\", \(tag)", "*"] {
            let answer = try await ask(fixture, "/api/v1/flags?type=integer", knowing: header)
            #expect(answer.status == 304 && answer.body.isEmpty && answer.headers[.eTag] == tag, "\(header)")
        }
        for header in ["\"other\"", "W/\"other\"", "no tag"] {
            let answer = try await ask(fixture, "/api/v1/flags?type=integer", knowing: header)
            #expect(answer.status == 200 && answer.body == first.body, "\(header)")
        }
    }

    @Test("A change gives the list another tag, be it made here or by another program")
    func changes() async throws {
        let fixture = try fixture()
        let first = try #require(try await fixture.get("/api/v1/flags").headers[.eTag])
        let edit = try await fixture.ask(
            .put, "/api/v1/flags/count", [.ifMatch: "*", .contentType: "application/json"], body: #"{"value": 4}"#)
        #expect(edit.status == 200)
        let second = try await ask(fixture, knowing: first)
        #expect(second.status == 200 && second.body.contains("\"value\":4") && second.headers[.eTag] != first)
        try Data(DashboardFixture.plist("<dict><key>count</key><integer>5</integer></dict>").utf8).write(
            to: fixture.file)
        let third = try await ask(fixture, knowing: try #require(second.headers[.eTag]))
        #expect(third.status == 200 && third.body.contains("\"value\":5"))
        let manifest = DashboardFixture.plist(
            "<dict><key>version</key><integer>1</integer><key>flags</key><array>"
                + DashboardFixture.flag("count", "integer", "<key>name</key><string>Sum</string>") + "</array></dict>")
        try Data(manifest.utf8).write(to: fixture.manifest)
        let fourth = try await ask(fixture, knowing: try #require(third.headers[.eTag]))
        #expect(fourth.status == 200 && fourth.body.contains("\"name\":\"Sum\""))
    }

    @Test("While a file can't be read, the list has no tag, and an old one is not taken for it")
    func unreadable() async throws {
        let fixture = try fixture()
        let tag = try #require(try await fixture.get("/api/v1/flags").headers[.eTag])
        try Data("<plist".utf8).write(to: fixture.file)
        for header in [tag, "*"] {
            let answer = try await ask(fixture, knowing: header)
            #expect(answer.status == 200 && answer.headers[.eTag] == nil, "\(header)")
        }
    }

    @Test(
        "A list that follows from the time or the history too has no tag",
        arguments: ["sort=changed", "state=expired", "state=on,stale"])
    func notOfFilesAlone(query: String) async throws {
        let fixture = try fixture()
        let tag = try #require(try await fixture.get("/api/v1/flags").headers[.eTag])
        let answer = try await ask(fixture, "/api/v1/flags?\(query)", knowing: tag)
        #expect(answer.status == 200 && answer.headers[.eTag] == nil)
    }
}
