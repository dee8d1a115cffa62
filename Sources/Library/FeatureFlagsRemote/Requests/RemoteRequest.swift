import AsyncHTTPClient
import DurableFiles
import Foundation
import NIOCore
import NIOSSL

package struct RemoteRequest: Sendable {
    let address: RemoteAddress
    /// JSON to send by `POST`, or `nil` for a `GET`.
    var content: Data?
    var accepted: String

    package init(address: RemoteAddress, content: Data? = nil, accepted: String) {
        (self.address, self.content, self.accepted) = (address, content, accepted)
    }
}

package struct RemoteAnswer: Sendable {
    package let body: Data
    package let version: String?
    let mediaType: String?
}

extension HTTPClientResponse.Body {
    /// Collects the body before a deadline; that of the request covers only the head of the answer.
    func collect(upTo limit: Int, before deadline: NIODeadline) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.collect(upTo: limit) }
            group.addTask {
                try await Task.sleep(for: .nanoseconds((deadline - .now()).nanoseconds))
                throw HTTPClientError.deadlineExceeded
            }
            guard let bytes = try await group.next() else { throw HTTPClientError.deadlineExceeded }
            return bytes
        }
    }
}

/// A token that is sent with each request (`Authorization: Bearer`).
///
/// ```swift
/// let credential = RemoteCredential.bearer(file: URL(fileURLWithPath: "/run/secrets/flags-token"))
/// ```
///
/// It is fetched for each request, so that it can be replaced while the app runs. Only the origin of the values
/// receives it, and over `http` anybody on the way can read it.
public struct RemoteCredential: Sendable {
    private let token: @Sendable () async throws -> String

    /// In bytes.
    private static let maximumSize = 16_384

    /// Creates a credential from a token that the app returns for each request.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> RemoteCredential {
        RemoteCredential(token: token)
    }

    /// Creates a credential from a token in a file, read for each request without surrounding spaces and line ends.
    public static func bearer(file: URL) -> RemoteCredential {
        RemoteCredential {
            let content = try AtomicFile.read(file, maximumSize: maximumSize).data
            return String(decoding: content, as: UTF8.self)
        }
    }

    func field() async throws(RemoteError) -> String {
        let text: String
        do {
            text = try await token().trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw .credential("can't read the token: \(error)")
        }
        guard !text.isEmpty else { throw .credential("the token is empty; add one") }
        // RFC 6750, 2.1, and all other printable ASCII; a line end would begin another header.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .credential(
                "the token contains spaces or non-ASCII characters; the file must contain only a token")
        }
        return "Bearer \(text)"
    }
}

/// The trusted servers and the program's own certificate for encrypted connections.
///
/// ```swift
/// let trust = try RemoteTrust(authorities: URL(fileURLWithPath: "/etc/shop/flags-ca.pem"))
/// ```
public struct RemoteTrust: Sendable {
    /// The servers whose certificate this machine trusts.
    public static let system = RemoteTrust(tls: .makeClientConfiguration())

    package let tls: TLSConfiguration

    private init(tls: TLSConfiguration) { self.tls = tls }

    /// Reads certificates.
    ///
    /// - Parameters:
    ///   - authorities: A PEM file of the only authorities to trust, or `nil` for those of this machine.
    ///   - certificate: A PEM file of the program's certificate and its issuers, or `nil` for none.
    ///   - key: The PEM file of the certificate's private key.
    /// - Throws: An error that names the unusable file.
    public init(authorities: URL? = nil, certificate: URL? = nil, key: URL? = nil) throws(RemoteError) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authorities {
            tls.trustRoots = .certificates(try Self.certificates(authorities))
        }
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?):
            tls.certificateChain = try Self.certificates(certificate).map { .certificate($0) }
            tls.privateKey = .privateKey(
                try Self.read(key, "is not a private key in PEM") {
                    try NIOSSLPrivateKey(file: $0, format: .pem)
                })
        case (let url?, nil), (nil, let url?):
            throw RemoteError.trust(
                url, "a certificate and its private key must be used together")
        }
        self.tls = tls
    }

    private static func certificates(_ url: URL) throws(RemoteError) -> [NIOSSLCertificate] {
        let certificates = try read(url, "contains no certificate in PEM") { try NIOSSLCertificate.fromPEMFile($0) }
        guard !certificates.isEmpty else { throw RemoteError.trust(url, "contains no certificate in PEM") }
        return certificates
    }

    private static func read<Value>(
        _ url: URL, _ problem: String, _ body: (String) throws -> Value
    ) throws(RemoteError) -> Value {
        do {
            return try body(url.path(percentEncoded: false))
        } catch {
            throw RemoteError.trust(url, "\(problem), or can't be read: \(error)")
        }
    }
}
