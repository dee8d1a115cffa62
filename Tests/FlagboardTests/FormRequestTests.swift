import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Bodies that are no form")
struct FormRequestTests {
    private func fixture() throws -> DashboardFixture {
        try DashboardFixture(
            "<key>count</key><integer>3</integer>", flags: [DashboardFixture.flag("count", "integer")])
    }

    private func post(_ body: String, _ headers: HTTPFields = [:]) async throws -> Int {
        let fixture = try fixture()
        var headers = headers
        headers[.secFetchSite] = "same-origin"
        let answer = try await fixture.ask(.post, "/flags/count", headers, body: body)
        let rows = try fixture.rows().count
        #expect(rows == (answer.status == 303 ? 1 : 0))
        return answer.status
    }

    @Test(
        "Only URL-encoded fields in UTF-8 are taken for a form",
        arguments: [
            ("application/x-www-form-urlencoded", 303), ("Application/X-WWW-Form-URLEncoded; charset=UTF-8", 303),
            ("application/x-www-form-urlencoded;charset=\"utf-8\"", 303), ("text/plain", 415), ("", 415),
            ("multipart/form-data; boundary=x", 415), ("application/json", 415),
            ("application/x-www-form-urlencoded; charset=utf-16", 415),
            ("application/x-www-form-urlencoded; boundary=x", 415),
            ("application/x-www-form-urlencoded, text/plain", 415),
        ])
    func types(type: String, status: Int) async throws {
        #expect(try await post("action=set&value=4", [.contentType: type]) == status)
    }

    @Test("A compressed body is not taken for a form")
    func compressed() async throws {
        #expect(try await post("action=set&value=4", [.contentEncoding: "gzip"]) == 415)
    }

    @Test(
        "Fields that can't be read one way only are refused whole",
        arguments: [
            "action=set&value=4&value=4", "action=set&value=4&%76alue=5", "action=set&value=%", "action=set&value=%4",
            "action=set&value=%g4", "action=set&value=4&reason=%ff", "action=set&value=4&reason=%c0%af",
            "action=set&value=4&reason=%ed%a0%80", "action=set&value=4&%ff=",
            "action=set&value=4&" + (0...100).map { "f\($0)=" }.joined(separator: "&"),
        ])
    func malformed(body: String) async throws {
        #expect(try await post(body) == 400)
    }
}
