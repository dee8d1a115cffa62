import HTTPTypes
import NIOCore
import NIOHTTP1

/// An answer from the connection itself, without the server.
struct ConnectionAnswer {
    let status: HTTPResponseStatus
    let text: String
    var retryAfter: String?

    static let slowHead = ConnectionAnswer(
        status: .requestTimeout, text: "The head of the request took too long to arrive. Send it again.")
    static let slowRequest = ConnectionAnswer(
        status: .requestTimeout,
        text: "The request took too long to arrive, so nothing was changed. Send it again.")
    static let displaced = ConnectionAnswer(
        status: .serviceUnavailable,
        text: "Too many connections are open, and this one had kept the server waiting longest. Nothing was changed. "
            + "Send the request again.",
        retryAfter: "1")
    static let busy = ConnectionAnswer(
        status: .serviceUnavailable, text: "Too many requests are being answered. Send this one again in a moment.",
        retryAfter: "1")

    init(_ fault: HTTPParserError) {
        switch fault {
        case .headerOverflow:
            status = .requestHeaderFieldsTooLarge
            text = "The head of the request is too large. Send shorter or fewer fields, or a shorter address."
        case .invalidVersion:
            status = .httpVersionNotSupported
            text = "The request is of a version of HTTP that is not spoken here. Use HTTP/1.1."
        default:
            status = .badRequest
            text = "What was sent is not a well-formed HTTP request."
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
