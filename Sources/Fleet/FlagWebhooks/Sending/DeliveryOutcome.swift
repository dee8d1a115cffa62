import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// How a try to deliver a message ended.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver took it: an answer of 200 to 299.
    case delivered(status: Int)
    /// The receiver wants no more: 410.
    case gone
    /// The receiver did not take it; it may ask to be left alone for so long.
    case refused(status: Int, retryAfter: Duration?)
    /// There was no answer, for the reason of that clause.
    case failed(String)
    /// The host is one that must not be connected to, for the reason of that clause.
    case forbidden(String)

    /// What numbers call it.
    package enum Sort: String, CaseIterable, Sendable {
        case delivered, gone, refused, failed, forbidden
    }

    /// What numbers call it.
    package var sort: Sort {
        switch self {
        case .delivered: .delivered
        case .gone: .gone
        case .refused: .refused
        case .failed: .failed
        case .forbidden: .forbidden
        }
    }

    /// The answer's status; `nil` where there was none.
    package var status: Int? {
        switch self {
        case .delivered(let status), .refused(let status, _): status
        case .gone: 410
        case .failed, .forbidden: nil
        }
    }

    /// Why it was not delivered, as a clause; `nil` where it was.
    package var problem: String? {
        switch self {
        case .delivered: nil
        case .gone: "it answered 410, which says that it wants no more"
        case .refused(let status, _) where (300...399).contains(status):
            "it answered \(status), and redirects are not followed"
        case .refused(let status, _): "it answered \(status)"
        case .failed(let reason), .forbidden(let reason): reason
        }
    }
}

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
