import DurableFiles
import Foundation
import HummingbirdCore
import HummingbirdTLS

/// A server's certificate and private key.
package struct TLSIdentity: Sendable {
    let configuration: TLSConfiguration

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificate: A PEM file with the certificate, followed by its issuers', nearest first.
    ///   - key: A PEM file with the private key, without a passphrase.
    /// - Throws: ``TLSIdentityError`` if one is unusable, or they don't match.
    package init(certificate: URL, key: URL) throws(TLSIdentityError) {
        let chain = try Self.read(certificate, "certificate") { try NIOSSLCertificate.fromPEMBytes($0) }
        guard !chain.isEmpty else { throw TLSIdentityError(certificate, "it holds no certificate in PEM") }
        let privateKey = try Self.read(key, "private key") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        do {
            // Only creating a TLS channel checks that the two match.
            _ = try TLSChannel(HTTP1Channel { _, _, _ in }, tlsConfiguration: configuration)
        } catch {
            throw TLSIdentityError(key, "it is not the key of the certificate in \(certificate.lastPathComponent)")
        }
        self.configuration = configuration
    }

    /// Limit of each file in bytes.
    private static let maximumSize = 1024 * 1024

    private static func read<Content>(
        _ url: URL, _ what: String, _ parse: ([UInt8]) throws -> Content
    ) throws(TLSIdentityError) -> Content {
        let contents: AtomicFile.Contents
        do throws(FileAccessError) {
            contents = try AtomicFile.read(url, maximumSize: maximumSize)
        } catch {
            throw TLSIdentityError(error)
        }
        do {
            return try parse([UInt8](contents.data))
        } catch {
            throw TLSIdentityError(url, "it holds no \(what) in PEM, or one that a passphrase protects")
        }
    }
}

/// An unusable certificate or key.
package struct TLSIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file and its problem.
    package let description: String

    init(_ error: FileAccessError) {
        description = "\(error.description)."
    }

    init(_ url: URL, _ problem: String) {
        description = "\(url.path(percentEncoded: false)): \(problem)."
    }
}
