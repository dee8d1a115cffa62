import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// What an error of the network means, in words.
enum RemoteFailure {
    /// What went wrong.
    ///
    /// - Parameters:
    ///   - error: What was thrown.
    ///   - address: What was asked.
    ///   - timeout: How long an answer may take.
    /// - Returns: The same in words.
    static func error(_ error: any Error, _ address: RemoteAddress, _ timeout: Duration) -> RemoteError {
        switch error {
        case let error as RemoteError: error
        case is CancellationError: .stopped
        case let error as HTTPClientError: text(error, address, timeout)
        case let error as NIOConnectionError: .unreachable(address, text(error))
        case let error as IOError: .unreachable(address, text(error))
        case is NIOSSLExtraError:
            .unreachable(address, "its certificate is for another name; ask it by the name in its certificate")
        case let error as NIOSSLError: .unreachable(address, text(error))
        case let error as BoringSSLError: .unreachable(address, text(error))
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            .unusable(address, "answers what can't be unpacked; have it sent whole, or unpacked")
        case is HTTPParserError: .lost(address, "broke off its answer, or does not answer by HTTP")
        case ChannelError.connectTimeout: .lost(address, "gives no answer within \(timeout)")
        default: .lost(address, "can't be asked: \(error)")
        }
    }

    /// Whether the other side closed a connection.
    static func isLostConnection(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
        default: false
        }
    }

    /// Whether an answer is larger than what is read, as it came or once it is unpacked.
    static func isOfSize(_ error: any Error) -> Bool {
        if case NIOHTTPDecompression.DecompressionError.limit = error { return true }
        return error is NIOTooManyBytesError
    }

    private static func text(_ error: HTTPClientError, _ address: RemoteAddress, _ timeout: Duration) -> RemoteError {
        switch error {
        case .cancelled, .alreadyShutdown, .requestStreamCancelled: .stopped
        case .deadlineExceeded, .connectTimeout, .readTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            .lost(address, "gives no answer within \(timeout)")
        case .remoteConnectionClosed: .lost(address, "broke off its answer")
        default: .lost(address, "can't be asked: \(error.shortDescription)")
        }
    }

    private static func text(_ error: NIOConnectionError) -> String {
        if let failure = error.connectionErrors.first?.error {
            if let failure = failure as? IOError { return text(failure) }
            if case ChannelError.connectTimeout = failure { return "it gives no answer" }
            return "\(failure)"
        }
        return "its name is not known; check the address and the network"
    }

    private static func text(_ error: IOError) -> String {
        String(cString: strerror(error.errnoCode)).lowercased()
    }

    private static func text(_ error: any Error) -> String {
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return
                "its certificate has expired, or is from no authority that is trusted; have it renewed, or trust its authority"
        }
        if text.contains("CERTIFICATE_REQUIRED") || text.contains("HANDSHAKE_FAILURE") {
            return "it wants a certificate of this program that it trusts"
        }
        return "no encrypted connection comes about: \(text)"
    }
}
