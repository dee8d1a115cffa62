import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// An error of getting, using or keeping values of another machine.
///
/// ```swift
/// do {
///     try await remote.refresh()
/// } catch let error as RemoteError where error.isUnreachable {
///     print("Without a network, the last values stay: \(error)")
/// }
/// ```
public struct RemoteError: Error, Hashable, Sendable {
    private enum Cause: Hashable {
        case address
        case credential
        case unreachable
        case refused(status: Int)
        case unusable
        case cache
        case stopped
    }

    private let cause: Cause
    /// The problem, its place, and its remedy.
    public let description: String
    /// Without the address, and so the same for all of a server's addresses.
    package let problem: String
    /// From `Retry-After`.
    package let askedFor: Duration?

    private init(_ cause: Cause, _ problem: String, at address: RemoteAddress? = nil, askedFor: Duration? = nil) {
        (self.cause, self.problem, self.askedFor) = (cause, problem, askedFor)
        description = address.map { "\($0) \(problem)" } ?? problem
    }

    /// `true` if there was no complete answer.
    ///
    /// The connection failed, the certificate is untrusted, or the answer broke off or took too long.
    public var isUnreachable: Bool { cause == .unreachable }

    /// The status of a refusal, such as 401, or `nil` for another error.
    public var status: Int? { if case .refused(let status) = cause { status } else { nil } }

    /// `true` if the answer holds no values, by its size or format, or was a redirection to another origin.
    public var isUnusable: Bool { cause == .unusable }

    static func address(_ text: String, _ problem: String) -> RemoteError {
        RemoteError(.address, "can't use \"\(text)\": \(problem)")
    }

    static func credential(_ problem: String) -> RemoteError { RemoteError(.credential, problem) }

    static func unreachable(_ address: RemoteAddress, _ problem: String) -> RemoteError {
        RemoteError(.unreachable, "can't be reached: \(problem)", at: address)
    }

    static func lost(_ address: RemoteAddress, _ problem: String) -> RemoteError {
        RemoteError(.unreachable, problem, at: address)
    }

    static func refused(
        _ address: RemoteAddress, status: Int, _ problem: String, askedFor: Duration? = nil
    ) -> RemoteError {
        RemoteError(
            .refused(status: status),
            "responds with status \(status): "
                + "\(problem)", at: address, askedFor: askedFor)
    }

    static func unusable(_ address: RemoteAddress, _ problem: String) -> RemoteError {
        RemoteError(.unusable, problem, at: address)
    }

    static func content(_ problem: String) -> RemoteError { RemoteError(.unusable, problem) }

    static func cache(_ problem: String) -> RemoteError { RemoteError(.cache, problem) }

    static func etcdAddress(_ problem: String) -> RemoteError { RemoteError(.address, problem) }

    static func trust(_ url: URL, _ problem: String) -> RemoteError {
        RemoteError(.credential, "\(url.path(percentEncoded: false)): \(problem)")
    }

    static let stopped = RemoteError(.stopped, "the provider was closed before a response arrived")
}

extension RemoteError: CustomStringConvertible {}

enum RemoteFailure {
    static func error(_ error: any Error, _ address: RemoteAddress, _ timeout: Duration) -> RemoteError {
        switch error {
        case let error as RemoteError: error
        case is CancellationError: .stopped
        case let error as HTTPClientError: text(error, address, timeout)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            .unusable(address, "sends a response that can't be decompressed; turn off its compression")
        case is HTTPParserError: .lost(address, "closed the connection, or doesn't use HTTP")
        case ChannelError.connectTimeout: .lost(address, "didn't respond within \(timeout)")
        default:
            connection(error, scheme: "https").map { .unreachable(address, $0) }
                ?? .lost(address, "can't be requested: \(error)")
        }
    }

    static func connection(_ error: any Error, scheme: String) -> String? {
        switch error {
        case let error as NIOConnectionError: text(error)
        case let error as IOError: text(error)
        case is NIOSSLExtraError: "its certificate is for a different host; use the host in its certificate"
        case is NIOSSLError, is BoringSSLError: encryption("\(error)", scheme)
        default: nil
        }
    }

    static func isLostConnection(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
        default: false
        }
    }

    static func isOfSize(_ error: any Error) -> Bool {
        if case NIOHTTPDecompression.DecompressionError.limit = error { return true }
        return error is NIOTooManyBytesError
    }

    private static func text(_ error: HTTPClientError, _ address: RemoteAddress, _ timeout: Duration) -> RemoteError {
        switch error {
        case .cancelled, .alreadyShutdown, .requestStreamCancelled: .stopped
        case .deadlineExceeded, .connectTimeout, .readTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            .lost(address, "didn't respond within \(timeout)")
        case .remoteConnectionClosed: .lost(address, "closed the connection while responding")
        default: .lost(address, "can't be requested: \(error.shortDescription)")
        }
    }

    private static func text(_ error: NIOConnectionError) -> String {
        if let failure = error.connectionErrors.first?.error {
            if let failure = failure as? IOError { return text(failure) }
            if case ChannelError.connectTimeout = failure { return "no response" }
            return "\(failure)"
        }
        return "unknown host; check the address and the network"
    }

    private static func text(_ error: IOError) -> String {
        String(cString: strerror(error.errnoCode)).lowercased()
    }

    private static func encryption(_ text: String, _ scheme: String) -> String {
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return
                "its certificate is expired or not trusted; renew it, or trust its authority"
        }
        if text.contains("CERTIFICATE_REQUIRED") || text.contains("HANDSHAKE_FAILURE") {
            return "it requires a client certificate that it trusts"
        }
        // The start of a plain-text answer is read as the version of TLS; other servers hang up.
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("EOF during handshake") {
            return "it doesn't use TLS; check whether the address should start with \(scheme)"
        }
        // Without the place in BoringSSL's source, which helps no reader.
        let reason = text.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.1
        let words = reason.map { ": " + $0.lowercased().replacing("_", with: " ") } ?? ""
        return "can't establish an encrypted connection\(words)"
    }
}
