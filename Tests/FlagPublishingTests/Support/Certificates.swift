import Foundation

/// Certificates of an authority of their own, in a folder of their own.
final class Certificates: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try makeAuthority("authority")
        try makeAuthority("other")
        try make("server", by: "authority")
        try make("client", by: "authority")
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    func certificate(_ name: String) -> URL { folder.appending(path: "\(name).pem") }
    func key(_ name: String) -> URL { folder.appending(path: "\(name).key") }

    /// Makes a pair of RSA keys, by which etcd signs tokens.
    func makeKeys(_ name: String) throws -> (publicKey: URL, privateKey: URL) {
        let publicKey = folder.appending(path: "\(name).pub")
        try openssl("genrsa", "-traditional", "-out", key(name).path, "2048")
        try openssl("rsa", "-in", key(name).path, "-pubout", "-out", publicKey.path)
        return (publicKey, key(name))
    }

    private func makeAuthority(_ name: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=\(name)", "-keyout", key(name).path, "-out", certificate(name).path)
    }

    private func make(_ name: String, by authority: String) throws {
        let request = folder.appending(path: "\(name).csr").path
        let extensions = folder.appending(path: "\(name).ext")
        try Data("subjectAltName=IP:127.0.0.1,DNS:localhost\n".utf8).write(to: extensions)
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)",
            "-keyout",
            key(name).path, "-out", request)
        try openssl(
            "x509", "-req", "-in", request, "-CA", certificate(authority).path, "-CAkey", key(authority).path,
            "-CAcreateserial", "-days", "2", "-extfile", extensions.path, "-out", certificate(name).path)
    }

    private func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw EtcdServer.Failure(description: "openssl \(arguments) fails")
        }
    }
}
