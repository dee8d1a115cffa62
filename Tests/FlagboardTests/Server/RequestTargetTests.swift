import NIOHTTP1
import Testing

@testable import Flagboard

@Suite("What a request is for")
struct RequestTargetTests {
    @Test(
        "A target that names a host decides for which host the request is",
        arguments: [
            ("http://evil.example/x?y", "evil.example", "/x?y"), ("HTTP://evil.example", "evil.example", "/"),
            ("https://user@evil.example:1?q", "user@evil.example:1", "/?q"), ("http:///x", "", "/x"),
            ("/x", "own", "/x"), ("//evil.example/x", "own", "//evil.example/x"),
        ])
    func absolute(target: String, host: String, path: String) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: ["Host": "own"])
        let normalized = try head.normalized()
        #expect(normalized.headers["host"] == [host])
        #expect(normalized.uri == path)
    }

    @Test("Two hosts stay two, and none stays none, whatever the target says", arguments: [[], ["own", "own"]])
    func hosts(hosts: [String]) throws {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "http://own/", headers: HTTPHeaders(hosts.map { ("Host", $0) }))
        #expect(try head.normalized().headers["host"] == hosts)
    }

    @Test("A target of another kind is none", arguments: ["x", "ftp://own/", "*", "", "file:///etc/passwd", "http:/x"])
    func other(target: String) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: ["Host": "own"])
        #expect(throws: HTTPParserError.self) { try head.normalized() }
    }

    @Test(
        "A body whose framing may be read in two ways is none",
        arguments: [
            (HTTPVersion.http1_1, ["gzip, chunked"]), (.http1_1, ["chunked", "chunked"]), (.http1_0, ["chunked"]),
        ])
    func framing(version: HTTPVersion, encodings: [String]) {
        let headers = HTTPHeaders(encodings.map { ("Transfer-Encoding", $0) })
        let head = HTTPRequestHead(version: version, method: .POST, uri: "/", headers: headers)
        #expect(throws: HTTPParserError.self) { try head.normalized() }
    }
}
