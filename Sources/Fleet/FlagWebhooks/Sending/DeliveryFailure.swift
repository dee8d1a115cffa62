import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// Why there was no answer to a message, as a clause.
struct DeliveryFailure: Hashable, CustomStringConvertible {
    let description: String

    /// Says it in words.
    init(_ error: any Error, at address: IPAddress) {
        description =
            switch error {
            case let error as HTTPClientError: Self.words(for: error, address)
            case let error as IOError: "\(address): \(String(cString: strerror(error.errnoCode)))"
            case let error as NIOSSLError: Self.words(for: error, address)
            case let error as NIOSSLExtraError where error == .failedToValidateHostname:
                "the certificate of \(address) is for another name"
            case is CancellationError: "the try was given up"
            default: "\(address): \(error)"
            }
    }

    private static func words(for error: HTTPClientError, _ address: IPAddress) -> String {
        switch error {
        case .connectTimeout: "\(address) can't be connected to in time"
        case .deadlineExceeded: "there was no answer in time"
        case .remoteConnectionClosed: "the connection was closed without an answer"
        case .cancelled: "the try was given up"
        default: "\(address): \(error)"
        }
    }

    private static func words(for error: NIOSSLError, _ address: IPAddress) -> String {
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the certificate of \(address) is none that this machine trusts"
        }
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("EOF during handshake") {
            return "\(address) does not answer with TLS: does the address begin with https by mistake?"
        }
        // Where it was found in BoringSSL's source helps no reader.
        let reason = text.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.1
        let words = reason.map { ": " + $0.lowercased().replacing("_", with: " ") } ?? ""
        return "no encrypted connection to \(address) comes about\(words)"
    }
}
