import AsyncHTTPClient
import FeatureFlags
import Flagboard
import Foundation
import NIOCore
import NIOHTTP1

/// Sends requests to the process that serves the command's file.
struct FlagboardClient: Sendable {
    struct Answer: Sendable {
        let body: ByteBuffer
        /// The broken sources of an export and their problems; `nil` for none.
        var brokenSources: String?

        var text: String { String(buffer: body) }

        var json: JSONValue { get throws { try FlagJSON.document(text) } }
    }

    private let http: HTTPClient
    private let socket: URL
    private let token: String?
    private let idempotencyKey: String
    /// The longest wait for a stream to begin.
    private let patience: TimeAmount

    /// In bytes; kept as a whole.
    private static let largestAnswer = 1 << 30

    /// - Parameters:
    ///   - token: `nil` for the user who reaches the socket.
    ///   - idempotencyKey: Makes the change once, even if its answer is lost.
    init(_ http: HTTPClient, _ socket: URL, token: String?, idempotencyKey: String, patience: TimeAmount) {
        (self.http, self.socket, self.token, self.idempotencyKey) = (http, socket, token, idempotencyKey)
        self.patience = patience
    }

    /// Omits query items without a value.
    func get(_ path: String, _ query: [(String, String?)] = []) async throws -> Answer {
        try await answer(to: request(path, query))
    }

    /// Doesn't send a body that is too large: a server would close the connection in the middle of it.
    func post(_ path: String, _ body: JSONValue, ifMatch condition: String? = nil) async throws -> Answer {
        let sent = ByteBuffer(string: FlagJSON.line(body))
        let most = Dashboard.largestBatchSize
        guard sent.readableBytes <= most else { throw CommandRefusal.tooLarge(most) }
        return try await post(path, [], sent, type: "application/json", ifMatch: condition)
    }

    func post(_ path: String, _ query: [(String, String?)], content: Data) async throws -> Answer {
        try await post(path, query, ByteBuffer(bytes: content), type: "application/octet-stream")
    }

    func follow(_ path: String, _ query: [(String, String?)]) async throws -> HTTPClientResponse.Body {
        var request = try request(path, query)
        request.headers.add(name: "Accept", value: "text/event-stream")
        let response = try await http.execute(request, deadline: .now() + patience)
        guard response.status == .ok else { throw try await refusal(response) }
        return response.body
    }

    private func post(
        _ path: String, _ query: [(String, String?)], _ body: ByteBuffer, type: String, ifMatch condition: String? = nil
    ) async throws -> Answer {
        var request = try request(path, query)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: type)
        request.headers.add(name: "Idempotency-Key", value: idempotencyKey)
        if let condition { request.headers.add(name: "If-Match", value: condition) }
        request.body = .bytes(body)
        return try await answer(to: request)
    }

    private func request(_ path: String, _ query: [(String, String?)]) throws -> HTTPClientRequest {
        let items = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded())" } }
        let target = items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
        guard let url = URL(httpURLWithSocketPath: socket.path(percentEncoded: false), uri: target) else {
            throw CommandRefusal("\(socket.path) is not a valid request address.")
        }
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "Host", value: "localhost")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        return request
    }

    private func answer(to request: HTTPClientRequest) async throws -> Answer {
        // Only the server's silence counts (``FlagboardSession``), not the whole time.
        let response = try await http.execute(request, deadline: .distantFuture)
        guard (200..<300).contains(response.status.code) else { throw try await refusal(response) }
        return Answer(
            body: try await response.body.collect(upTo: Self.largestAnswer),
            brokenSources: response.headers["Flagboard-Broken-Sources"].first)
    }

    private func refusal(_ response: HTTPClientResponse) async throws -> CommandRefusal {
        let text = String(buffer: try await response.body.collect(upTo: Self.largestAnswer))
        guard response.headers["Content-Type"].contains(where: { $0.hasPrefix("application/problem+json") }) else {
            // An HTML page is for browsers.
            let isPlain = response.headers["Content-Type"].contains { $0.hasPrefix("text/plain") }
            return CommandRefusal(status: Int(response.status.code), isPlain ? String(text.prefix(200)) : "")
        }
        return CommandRefusal(status: Int(response.status.code), try FlagJSON.document(text))
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? {
        if case .scalar(.string(let text)) = self { text } else { nil }
    }

    var integer: Int? {
        if case .scalar(.integer(let number)) = self { Int(exactly: number) } else { nil }
    }

    var isTrue: Bool { self == .scalar(.bool(true)) }

    var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}
