import DurableFiles
import Foundation
import HummingbirdCore
import HummingbirdTLS

/// The certificate and the key by which a server proves to browsers who it is.
public struct TLSIdentity: Sendable {
    let configuration: TLSConfiguration

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificate: A PEM file with the certificate, followed by those of its issuers, the nearest first.
    ///   - key: A PEM file with the certificate's private key, not protected by a passphrase.
    /// - Throws: ``TLSIdentityError`` where one can't be used, or they don't belong together.
    public init(certificate: URL, key: URL) throws(TLSIdentityError) {
        let chain = try Self.read(certificate, "certificate") { try NIOSSLCertificate.fromPEMBytes($0) }
        guard !chain.isEmpty else { throw TLSIdentityError(certificate, "it holds no certificate in PEM") }
        let privateKey = try Self.read(key, "private key") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        do {
            // Only making what a connection is served by tells whether the two belong together.
            _ = try TLSChannel(HTTP1Channel { _, _, _ in }, tlsConfiguration: configuration)
        } catch {
            throw TLSIdentityError(key, "it is not the key of the certificate in \(certificate.lastPathComponent)")
        }
        self.configuration = configuration
    }

    /// The most bytes that are read of a certificate with those that vouch for it, or of a key.
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

/// Why a certificate or its key can't be used.
public struct TLSIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which file, and what is wrong with it.
    public let description: String

    init(_ error: FileAccessError) {
        description = "\(error.description)."
    }

    init(_ url: URL, _ problem: String) {
        description = "\(url.path(percentEncoded: false)): \(problem)."
    }
}
