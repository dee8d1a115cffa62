import CZlib
import DurableFiles
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Flagboard

@Suite("Compression")
struct CompressionTests {
    private static let flags = (100..<150).map { "<key>flag\($0)</key><true/>" }.joined()

    private struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]
    }

    private func ask(
        _ path: String, _ encodings: String? = "gzip, deflate, br", method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:], of fixture: DashboardFixture? = nil
    ) async throws -> Answer {
        var headers = headers
        headers[.acceptEncoding] = encodings
        let sent = headers
        return try await (fixture ?? DashboardFixture(Self.flags)).withClient { client in
            try await client.execute(uri: path, method: method, headers: sent) { response in
                Answer(
                    status: response.status.code, headers: response.headers, body: Array(buffer: response.body))
            }
        }
    }

    @Test(
        "A page, a style sheet and a download come compressed, and hold what they hold uncompressed",
        arguments: ["/", "/?q=flag1", "/flagboard.css", "/export/flags.xml", "/export/history.csv"])
    func compressed(path: String) async throws {
        let fixture = try DashboardFixture(Self.flags)
        let plain = try await ask(path, nil, of: fixture)
        let compressed = try await ask(path, of: fixture)
        #expect(plain.headers[.contentEncoding] == nil && compressed.headers[.contentEncoding] == "gzip")
        #expect(plain.headers[.vary] == "Accept-Encoding" && compressed.headers[.vary] == "Accept-Encoding")
        #expect(compressed.headers[.contentLength] == nil)
        #expect(try inflated(compressed.body) == plain.body)
        #expect(path.hasSuffix("csv") || compressed.body.count * 2 < plain.body.count)
    }

    @Test("What is written in many pieces is one stream")
    func pieces() throws {
        var random = SystemRandomNumberGenerator()
        let pieces = (0..<50).map { count in (0..<count * 997).map { _ in UInt8.random(in: 0..<8, using: &random) } }
        let stream = try GzipStream()
        var compressed: [UInt8] = []
        for piece in pieces { compressed += Array(buffer: try stream.compress(ByteBuffer(bytes: piece))) }
        compressed += Array(buffer: try stream.finish())
        #expect(try inflated(compressed) == pieces.flatMap(\.self))
        #expect(throws: PlainError.self) { try stream.compress(ByteBuffer(string: "late")) }
    }

    @Test("Who doesn't take gzip gets none", arguments: ["identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *"])
    func notTaken(encodings: String) async throws {
        let answer = try await ask("/", encodings)
        #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == "Accept-Encoding")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("flag100"))
    }

    @Test(
        "Whoever takes gzip by any spelling gets it", arguments: ["GZIP", "br, gzip;q=0.5", "*", "identity;q=0, *;q=1"])
    func taken(encodings: String) { #expect(Compression.isGzipTaken([encodings])) }

    @Test("Pages that may hold a secret stay as they are", arguments: ["/access", "/sign-in"])
    func secrets(path: String) async throws {
        let answer = try await ask(path, of: DashboardFixture(Self.flags, role: .admin))
        #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == nil)
        #expect(answer.status < 400)
    }

    @Test("The page that shows a new token is not compressed")
    func newToken() async throws {
        let fixture = try AccessFixture()
        let cookie = try await fixture.signIn(fixture.launchSecret)
        let answer = try await fixture.post(
            "/access/tokens", ["name": "bot", "role": "viewer"], cookie: cookie,
            headers: [.secFetchSite: "same-origin", .acceptEncoding: "gzip"])
        #expect(answer.headers[.contentEncoding] == nil && answer.body.contains("data-secret"))
    }

    @Test("HEAD, errors, short answers and what a strong entity tag names stay as they are")
    func others() async throws {
        let head = try await ask("/", method: .head)
        #expect(head.headers[.contentEncoding] == nil && head.body.isEmpty)
        #expect(head.headers[.contentLength].flatMap { Int($0) } ?? 0 > 1024)
        #expect(try await ask("/flags/none").headers[.contentEncoding] == nil)
        #expect(try await ask("/icon.svg").headers[.contentEncoding] == nil)
        let long = "<key>long</key><string>\(String(repeating: "a", count: 5000))</string>"
        let document = try await ask("/api/v1/flags/long", of: DashboardFixture(long))
        #expect(document.headers[.eTag] != nil && document.headers[.contentEncoding] == nil)
    }

    @Test("A file that a browser has compressed is still found unchanged")
    func unchanged() async throws {
        let fixture = try DashboardFixture(Self.flags)
        let tag = try #require(try await ask("/flagboard.css", of: fixture).headers[.eTag])
        let again = try await ask("/flagboard.css", headers: [.ifNoneMatch: tag], of: fixture)
        #expect(again.status == 304 && again.headers[.contentEncoding] == nil && again.body.isEmpty)
    }

    private func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        try #require(inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 1 << 16)
        var code = Z_OK
        while code == Z_OK {
            let count = bytes.count - Int(stream.total_in)
            let start = Int(stream.total_in)
            let written = input.withUnsafeMutableBufferPointer { input in
                space.withUnsafeMutableBufferPointer { space in
                    stream.next_in = input.baseAddress.map { $0 + start }
                    stream.avail_in = UInt32(count)
                    stream.next_out = space.baseAddress
                    stream.avail_out = UInt32(space.count)
                    code = inflate(&stream, Z_NO_FLUSH)
                    return space.count - Int(stream.avail_out)
                }
            }
            output += space.prefix(written)
        }
        #expect(code == Z_STREAM_END && stream.total_in == bytes.count)
        return output
    }
}
