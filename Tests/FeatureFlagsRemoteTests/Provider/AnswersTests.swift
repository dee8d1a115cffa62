import FeatureFlags
import FeatureFlagsRemote
import Foundation
import TestClock
import Testing

@Suite("Answers that can't be used")
struct AnswersTests {
    private let lines = LogLines()

    /// Asks twice for the same, after a good answer: the values stay, and one sentence is told.
    private func problem(
        _ reply: RemoteServer.Reply, shape: RemoteShape = .json, maximumSize: Int = 1 << 20
    ) async throws -> RemoteError {
        let good = shape == .json ? #"{"on": true}"# : #"{"flags": [{"key": "on", "value": true}]}"#
        let server = try await RemoteServer { _ in .json(good, tag: "\"1\"") }
        var options = RemoteProvider.Options.by(ManualClock())
        options.maximumSize = maximumSize
        let provider = try RemoteProvider(server.address(), shape: shape, options: options, log: lines.log)
        try await provider.setUp()
        server.answer(reply)
        let error = await #expect(throws: RemoteError.self) { try await provider.refresh() }
        await #expect(throws: RemoteError.self) { try await provider.refresh() }
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        #expect(lines.all == ["Remote: \(error?.description ?? "")"])
        #expect(provider.problems == [try #require(error)])
        let flags = FlagsLoader(OneFlag.self, providers: [provider])
        #expect(flags.$on.explain().description.contains(error?.description ?? "nothing"))
        await provider.tearDown()
        return try #require(error)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 418, 429, 500, 503])
    func `a refusal is told by its status`(_ status: Int) async throws {
        let error = try await problem(.status(status))
        #expect(error.status == status && error.description.contains("status \(status)"))
    }

    @Test(arguments: [204, 206, 304])
    func `a status without values is none`(_ status: Int) async throws {
        guard status != 304 else { return }
        #expect(try await problem(.status(status)).status == status)
    }

    @Test func `a page rather than JSON is told as such`() async throws {
        let page = RemoteServer.Reply.answer(
            200, ["Content-Type": "text/html; charset=utf-8"], Data("<!DOCTYPE html><title>Sign in</title>".utf8))
        let error = try await problem(page)
        #expect(error.isUnusable && error.description.contains("text/html"))
    }

    @Test(arguments: [
        "", "[]", "7", #"{"on": tru"#, #"{"on": true} x"#, #"{"on": 1, "on": 2}"#, "\u{0}", "{\"a\": 1e999}",
    ])
    func `what is no JSON object is told by the place`(_ text: String) async throws {
        #expect(try await problem(.json(text)).isUnusable)
    }

    @Test func `ten megabytes of nesting are refused`() async throws {
        let text = #"{"a": "# + String(repeating: "[", count: 10_000_000)
        let error = try await problem(.json(text), maximumSize: 20_000_000)
        #expect(error.description.contains("nested more than"))
    }

    @Test func `an answer that is too large is refused, whether or not it says how large it is`() async throws {
        let text = #"{"a": "\#(String(repeating: "x", count: 3_000_000))"}"#
        #expect(try await problem(.json(text)).description.contains("1048576 bytes"))
    }

    @Test func `one that doesn't say how large it is and never ends is refused as well`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".utf8)
        let error = try await problem(.bytes(head + Array(repeating: UInt8(ascii: " "), count: 3_000_000)))
        #expect(error.description.contains("1048576 bytes"))
    }

    @Test func `an answer that breaks off is none`() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"on\": false}"
        #expect(try await problem(.bytes(Array(text.utf8))).isUnreachable)
    }

    @Test(arguments: ["", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200\r\nContent-Length: -1\r\n\r\n"])
    func `what is no HTTP is none`(_ text: String) async throws {
        #expect(try await problem(.bytes(Array(text.utf8))).isUnreachable)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirection to another origin is not followed`(_ status: Int) async throws {
        let other = try await RemoteServer { _ in .json(#"{"on": false}"#) }
        var questions = other.questions.makeAsyncIterator()
        let error = try await problem(.status(status, ["Location": other.address("/there?key=secret")]))
        #expect(error.isUnusable && error.description.contains("different origin"))
        #expect(error.description.contains(other.address("/there")) && !error.description.contains("secret"))
        let probe = try RemoteProvider(other.address("/probe"))
        try await probe.refresh()
        #expect(await questions.next()?.path == "/probe")
        await probe.tearDown()
    }

    @Test(arguments: ["file:///etc/passwd", "https://me:pass@127.0.0.1/", "gopher://127.0.0.1/"])
    func `a redirection to what is not asked is refused`(_ location: String) async throws {
        let error = try await problem(.status(302, ["Location": location]))
        #expect(!error.description.contains("pass@"))
    }

    @Test func `a redirection within the origin is followed, and one in a circle given up`() async throws {
        let server = try await RemoteServer { question in
            question.path == "/new.json" ? .json(#"{"on": true}"#) : .status(308, ["Location": "/new.json"])
        }
        var options = RemoteProvider.Options()
        // The machine may be busy with all other tests.
        options.timeout = .seconds(600)
        let provider = try RemoteProvider(server.address(), credential: .bearer { "secret" }, options: options)
        var questions = server.questions.makeAsyncIterator()
        try await provider.refresh()
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        _ = await questions.next()
        #expect(await questions.next()?["Authorization"] == "Bearer secret")
        server.answer(.status(302, ["Location": "/flags.json"]))
        let error = await #expect(throws: RemoteError.self) { try await provider.refresh() }
        #expect(error?.description.contains("redirects more than") == true)
        await provider.tearDown()
    }

    @Test func `what is posted is not turned into a question for a page`() async throws {
        let error = try await problem(.status(302, ["Location": "/new"]), shape: .ofrep)
        #expect(error.description.contains("can't be used with POST"))
    }

    @Test func `an answer may be packed, and one that unpacks to too much is refused`() async throws {
        let folder = try TemporaryFolder()
        let packed = { (text: String) throws -> RemoteServer.Reply in
            let file = folder.file(UUID().uuidString)
            try Data(text.utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["gzip", "-k", file.path]
            try process.run()
            process.waitUntilExit()
            let headers = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
            return .answer(200, headers, try Data(contentsOf: file.appendingPathExtension("gz")))
        }
        let small = try packed(#"{"on": true}"#)
        let server = try await RemoteServer { _ in small }
        var questions = server.questions.makeAsyncIterator()
        let provider = try RemoteProvider(server.address())
        try await provider.refresh()
        #expect(try provider.storedValue(at: keyPath("on")) == true)
        #expect(await questions.next()?["Accept-Encoding"] == "gzip")
        await provider.tearDown()
        let bomb = try packed(String(repeating: " ", count: 50_000_000))
        #expect(try await problem(bomb).description.contains("1048576 bytes"))
    }

    @Test func `packed bytes that are damaged are none`() async throws {
        let headers = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        let error = try await problem(
            .answer(200, headers, Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF])))
        #expect(error.description.contains("decompressed"))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"])
    func `a server that takes too long is given up, before its answer and in the middle of it`(
        _ begun: String
    ) async throws {
        let server = try await RemoteServer { _ in .stalled(Array(begun.utf8)) }
        var options = RemoteProvider.Options.by(ManualClock())
        options.timeout = .milliseconds(100)
        let provider = try RemoteProvider(server.address(), options: options)
        let error = await #expect(throws: RemoteError.self) { try await provider.setUp() }
        #expect(
            error?.isUnreachable == true && error?.description.contains("didn't respond within 0.1 seconds") == true)
        await provider.tearDown()
    }
}
