import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// The reason for a missing answer, as a clause.
struct DeliveryFailure: Hashable, CustomStringConvertible {
    let description: String

    init(_ error: any Error, at address: IPAddress) {
        description =
            switch error {
            case let error as HTTPClientError: Self.words(for: error, address)
            case let error as IOError: "\(address): \(String(cString: strerror(error.errnoCode)))"
            case let error as NIOSSLError: Self.words(for: error, address)
            case let error as NIOSSLExtraError where error == .failedToValidateHostname:
                "the certificate of \(address) is for a different host"
            case is CancellationError: "the attempt was cancelled"
            default: "\(address): \(error)"
            }
    }

    private static func words(for error: HTTPClientError, _ address: IPAddress) -> String {
        switch error {
        case .connectTimeout: "connecting to \(address) timed out"
        case .deadlineExceeded: "no response in time"
        case .remoteConnectionClosed: "the connection was closed without a response"
        case .cancelled: "the attempt was cancelled"
        default: "\(address): \(error)"
        }
    }

    private static func words(for error: NIOSSLError, _ address: IPAddress) -> String {
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the certificate of \(address) is not trusted"
        }
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("EOF during handshake") {
            return "\(address) doesn't use TLS; use http:// instead of https:// if that is intended"
        }
        // The location in BoringSSL's source helps no reader.
        let reason = text.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.1
        let words = reason.map { ": " + $0.lowercased().replacing("_", with: " ") } ?? ""
        return "can't establish an encrypted connection to \(address)\(words)"
    }
}
