import FeatureFlags
import FlagHistory
import Foundation
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

    private func upload(_ key: String, _ file: String, name: String = "key.bin") async throws -> (
        Int, String, FlagValue?
    ) {
        let fixture = try DashboardFixture(
            "<key>blob</key><data>AAAA</data>",
            flags: [DashboardFixture.flag("blob", "data"), DashboardFixture.flag("motd", "string")])
        let revision = try await fixture.get("/flags/\(key)").field("revision") ?? ""
        var body = ""
        for (name, value) in [("revision", revision), ("action", "set"), ("value", "typed"), ("reason", "New key")] {
            body += "--edge\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
        body += "Content-Type: application/octet-stream\r\n\r\n\(file)\r\n--edge--\r\n"
        let headers: HTTPFields = [.secFetchSite: "same-origin", .contentType: "multipart/form-data; boundary=edge"]
        let answer = try await fixture.ask(.post, "/flags/\(key)", headers, body: body)
        return (answer.status, answer.body, try fixture.rows().first?.event.after)
    }

    @Test("Data may be sent as a file, which takes the place of the text, for a flag that holds data and no other")
    func files() async throws {
        let (status, _, after) = try await upload("blob", "Hello\0world")
        #expect(status == 303 && after == .data(Data("Hello\0world".utf8)))
        let (empty, _, nothing) = try await upload("blob", "")
        #expect(empty == 303 && nothing == .data(Data()))
        let (other, _, none) = try await upload("motd", "Hello")
        #expect(other == 415 && none == nil)
    }

    @Test("Where no file was chosen, the text counts")
    func noFile() async throws {
        let (status, page, after) = try await upload("blob", "", name: "")
        #expect(status == 422 && after == nil && page.contains("typed</textarea>"))
    }

    @Test("A file that is too large is refused beside its field, and what was typed stays")
    func largeFile() async throws {
        let (status, page, after) = try await upload(
            "blob", String(repeating: "x", count: FlagRequest.maximumFileBytes + 1))
        #expect(status == 422 && after == nil)
        #expect(page.contains("id=\"file-problem\""))
        #expect(page.contains("“key.bin” has 786433 bytes; the limit is 786432"))
        #expect(page.contains("typed</textarea>") && page.contains("value=\"New key\""))
    }

    @Test("A file that is far too large is refused unread")
    func hugeFile() async throws {
        let (status, page, after) = try await upload(
            "blob", String(repeating: "x", count: 8 * FormFields.maximumBytes))
        #expect(status == 413 && after == nil && page.contains("larger than 768 KB"))
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
