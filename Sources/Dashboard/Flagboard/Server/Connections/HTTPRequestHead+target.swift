import NIOHTTP1

extension HTTPRequestHead {
    /// The head with its target as a path, as the rest of the server takes it.
    ///
    /// An absolute target says for which host the request is, whatever `Host` says (RFC 9112, 3.2.2), so its host takes
    /// the place of that one.
    ///
    /// - Throws: `HTTPParserError` where the target is none that a server may be asked for, or the framing is in doubt.
    func normalized() throws(HTTPParserError) -> HTTPRequestHead {
        let encodings = headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        if encodings != [], encodings != ["chunked"] || version == .http1_0 { throw .unexpectedContentLength }
        if uri.utf8.first == UInt8(ascii: "/") || method == .CONNECT || (method == .OPTIONS && uri == "*") {
            return self
        }
        let target = uri.utf8
        for scheme in ["http://", "https://"] {
            let start = target.prefix(scheme.utf8.count)
            guard String(Substring(start)).lowercased() == scheme else { continue }
            let rest = target.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { !"/?#".utf8.contains($0) }
            let path = String(Substring(rest.dropFirst(authority.count)))
            var head = self
            head.uri = path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
            if headers["host"].count == 1 {
                head.headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
            }
            return head
        }
        throw .invalidURL
    }
}
