import AsyncHTTPClient
import DurableFiles
import Foundation
import NIOCore
import NIOSSL

/// What is asked for.
package struct RemoteRequest: Sendable {
    /// Where.
    let address: RemoteAddress
    /// What is sent along as JSON, by `POST`; `nil` for a `GET`.
    var content: Data?
    /// The media types of answers that can be read.
    var accepted: String

    /// Describes what is asked for.
    package init(address: RemoteAddress, content: Data? = nil, accepted: String) {
        (self.address, self.content, self.accepted) = (address, content, accepted)
    }
}

/// What a server answered.
package struct RemoteAnswer: Sendable {
    /// Its body, with nothing packed.
    package let body: Data
    /// Its `ETag`.
    package let version: String?
    /// Its media type, without parameters.
    let mediaType: String?
}

extension HTTPClientResponse.Body {
    /// All bytes, where they come in time: the deadline that a request is sent with is one for the head of the answer alone.
    ///
    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - deadline: When all of them must be there.
    /// - Returns: The bytes.
    /// - Throws: `HTTPClientError.deadlineExceeded` where they are not, and what keeps them from being read.
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

/// What shows a server who asks: a token that goes along with each request (`Authorization: Bearer`).
///
/// ```swift
/// let credential = RemoteCredential.bearer(file: URL(fileURLWithPath: "/run/secrets/flags-token"))
/// ```
///
/// It is got anew for each request, so that it can be replaced while the app runs. It is sent to the origin that is asked alone, and
/// over `http` anybody on the way can read it.
public struct RemoteCredential: Sendable {
    private let token: @Sendable () async throws -> String

    /// The most bytes of a token.
    private static let maximumSize = 16_384

    /// A token from the app.
    ///
    /// - Parameter token: Gets the token, for each request.
    /// - Returns: The credential.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> RemoteCredential {
        RemoteCredential(token: token)
    }

    /// A token in a file, where a program that renews it can put another one.
    ///
    /// - Parameter file: The file, which is read for each request; spaces and line ends around the token are left out.
    /// - Returns: The credential.
    public static func bearer(file: URL) -> RemoteCredential {
        RemoteCredential {
            let content = try AtomicFile.read(file, maximumSize: maximumSize).data
            return String(decoding: content, as: UTF8.self)
        }
    }

    /// What goes into the header `Authorization`.
    func field() async throws(RemoteError) -> String {
        let text: String
        do {
            text = try await token().trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw .credential("there is no token to ask with: \(error)")
        }
        guard !text.isEmpty else { throw .credential("the token to ask with is empty; put one there") }
        // RFC 6750, 2.1, and whatever else is printed in ASCII: a line end would begin another header.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .credential(
                "the token to ask with holds spaces or characters that are not ASCII; put a token there alone")
        }
        return "Bearer \(text)"
    }
}

/// Which servers are trusted, and how this program shows who it is, where a connection is encrypted.
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
    ///   - authorities: A file of the only authorities that a server's certificate may come from, in PEM; `nil` for those that this
    ///     machine trusts.
    ///   - certificate: A file of this program's own certificate with those of its issuers, in PEM; `nil` for none.
    ///   - key: The file of that certificate's private key, in PEM.
    /// - Throws: Which file is none, and why.
    public init(authorities: URL? = nil, certificate: URL? = nil, key: URL? = nil) throws(RemoteTrustError) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authorities {
            tls.trustRoots = .certificates(try Self.certificates(authorities))
        }
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?):
            tls.certificateChain = try Self.certificates(certificate).map { .certificate($0) }
            tls.privateKey = .privateKey(
                try Self.read(key, "is no private key in PEM") {
                    try NIOSSLPrivateKey(file: $0, format: .pem)
                })
        case (let url?, nil), (nil, let url?):
            throw RemoteTrustError(
                url, "a certificate and its private key go together, and only one of the two is given")
        }
        self.tls = tls
    }

    private static func certificates(_ url: URL) throws(RemoteTrustError) -> [NIOSSLCertificate] {
        let certificates = try read(url, "holds no certificate in PEM") { try NIOSSLCertificate.fromPEMFile($0) }
        guard !certificates.isEmpty else { throw RemoteTrustError(url, "holds no certificate in PEM") }
        return certificates
    }

    private static func read<Value>(
        _ url: URL, _ problem: String, _ body: (String) throws -> Value
    ) throws(RemoteTrustError) -> Value {
        do {
            return try body(url.path(percentEncoded: false))
        } catch {
            throw RemoteTrustError(url, "\(problem), or can't be read: \(error)")
        }
    }
}

/// Why a file of certificates or keys can't be used.
///
/// ```swift
/// do {
///     print(try RemoteTrust(authorities: URL(fileURLWithPath: "/etc/shop/flags-ca.pem")))
/// } catch {
///     print("Only servers that this machine trusts are asked: \(error)")
/// }
/// ```
public struct RemoteTrustError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which file, and what is wrong with it.
    public let description: String

    init(_ url: URL, _ problem: String) {
        description = "\(url.path(percentEncoded: false)): \(problem)"
    }
}
