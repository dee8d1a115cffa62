import Foundation
import NIOSSL

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
