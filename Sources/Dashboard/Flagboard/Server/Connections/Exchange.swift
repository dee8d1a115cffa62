import NIOCore
import NIOHTTP1

/// A request on a connection and the response to it.
struct Exchange {
    /// When the first byte of the request came.
    let began: NIODeadline
    let version: HTTPVersion
    /// Whether the client waits to be told to send the body.
    var awaitsContinue: Bool
    /// Whether the connection ends with the response.
    var isLast: Bool
    /// Whether all of the request is there.
    var isComplete = false
    /// Whether the response has begun.
    var isAnswered = false
    /// What makes the request unreadable.
    var fault: HTTPParserError?

    /// An exchange of a request whose head has come.
    init(_ head: HTTPRequestHead, began: NIODeadline) {
        self.began = began
        version = head.version
        let expectations = head.headers[canonicalForm: "expect"].map { $0.lowercased() }
        awaitsContinue = expectations == ["100-continue"] && version != .http1_0
        // After what asks for another protocol, the decoder takes nothing for a request any more.
        isLast =
            !head.isKeepAlive || version == .http1_0 || head.method == .CONNECT
            || head.headers.contains(name: "upgrade")
    }

    /// An exchange of something that is no request.
    init(_ fault: HTTPParserError, began: NIODeadline) {
        self.began = began
        version = .http1_1
        awaitsContinue = false
        isLast = true
        isComplete = true
        self.fault = fault
    }
}
