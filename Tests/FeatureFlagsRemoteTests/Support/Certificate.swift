import Foundation
import NIOSSL

/// A certificate for 127.0.0.1 that signs itself, made by `openssl`.
struct Certificate: Sendable {
    let file: URL
    let key: URL

    /// Makes one.
    ///
    /// - Parameters:
    ///   - folder: Where its files are made.
    ///   - days: How long it is valid; less than none for one that has expired.
    ///   - name: The address that it is for.
    /// - Throws: Where `openssl` can't make it.
    init(in folder: TemporaryFolder, days: Int = 2, name: String = "IP:127.0.0.1") throws {
        let prefix = UUID().uuidString
        file = folder.file("\(prefix).crt")
        key = folder.file("\(prefix).key")
        let request = folder.file("\(prefix).csr")
        try Self.openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=localhost",
            "-addext", "subjectAltName=\(name)", "-out", request.path, "-keyout", key.path)
        try Self.openssl(
            "x509", "-req", "-in", request.path, "-signkey", key.path, "-days", "\(days)", "-copy_extensions", "copy",
            "-out", file.path)
    }

    func configuration() throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(file.path).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key.path, format: .pem)))
    }

    private static func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
