import DurableFiles
import Foundation
import HummingbirdCore
import HummingbirdTLS

package struct TLSIdentity: Sendable {
    let configuration: TLSConfiguration

    /// - Parameters:
    ///   - certificate: A PEM file with the certificate, followed by its issuers', nearest first.
    ///   - key: A PEM file with the private key, without a passphrase.
    /// - Throws: ``PlainError`` if one is unusable, or they don't match.
    package init(certificate: URL, key: URL) throws(PlainError) {
        let chain = try Self.read(certificate, "certificate") { try NIOSSLCertificate.fromPEMBytes($0) }
        guard !chain.isEmpty else { throw Self.unusable(certificate, "it contains no certificate in PEM") }
        let privateKey = try Self.read(key, "private key") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        do {
            // Only creating a TLS channel checks that the two match.
            _ = try TLSChannel(HTTP1Channel { _, _, _ in }, tlsConfiguration: configuration)
        } catch {
            throw Self.unusable(key, "it doesn't match the certificate in \(certificate.lastPathComponent)")
        }
        self.configuration = configuration
    }

    /// In bytes.
    private static let maximumSize = 1024 * 1024

    private static func unusable(_ url: URL, _ problem: String) -> PlainError {
        PlainError("\(url.path(percentEncoded: false)): \(problem).")
    }

    private static func read<Content>(
        _ url: URL, _ what: String, _ parse: ([UInt8]) throws -> Content
    ) throws(PlainError) -> Content {
        let contents: AtomicFile.Contents
        do throws(FileAccessError) {
            contents = try AtomicFile.read(url, maximumSize: maximumSize)
        } catch {
            throw PlainError("\(error.description).")
        }
        do {
            return try parse([UInt8](contents.data))
        } catch {
            throw unusable(url, "it contains no \(what) in PEM, or it has a passphrase")
        }
    }
}
