import HTTPTypes
import NIOCore
import NIOHTTP1

/// An answer from the connection itself, without the server.
struct ConnectionAnswer {
    let status: HTTPResponseStatus
    let text: String
    var retryAfter: String?

    static let slowHead = ConnectionAnswer(
        status: .requestTimeout, text: "The request header took too long to arrive. Send it again.")
    static let slowRequest = ConnectionAnswer(
        status: .requestTimeout,
        text: "The request took too long to arrive. Nothing was changed. Send it again.")
    static let displaced = ConnectionAnswer(
        status: .serviceUnavailable,
        text: "Too many connections are open, and this one was idle the longest. Nothing was changed. Send the request "
            + "again.",
        retryAfter: "1")
    static let busy = ConnectionAnswer(
        status: .serviceUnavailable, text: "The server is busy. Try again in a moment.",
        retryAfter: "1")

    init(_ fault: HTTPParserError) {
        switch fault {
        case .headerOverflow:
            status = .requestHeaderFieldsTooLarge
            text = "The request header is too large. Send fewer or shorter fields, or a shorter address."
        case .invalidVersion:
            status = .httpVersionNotSupported
            text = "This HTTP version is not supported. Use HTTP/1.1."
        default:
            status = .badRequest
            text = "The request is not valid HTTP."
        }
    }

    private init(status: HTTPResponseStatus, text: String, retryAfter: String? = nil) {
        self.status = status
        self.text = text
        self.retryAfter = retryAfter
    }

    var head: HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Connection": "close",
            "Content-Length": "\(body.utf8.count)",
        ]
        for (name, value) in SecureField.all { headers.add(name: name.rawName, value: value) }
        if let retryAfter { headers.add(name: "Retry-After", value: retryAfter) }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }

    var body: String { text + "\n" }
}
