import ArgumentParser
import DurableFiles
import FlagChanges
import Flagboard
import Foundation

/// The settings of `serve` for access, hosts and encryption.
struct AccessSettings: Sendable {
    let access: Serve.Access
    let tokensFile: TokensFile
    let allowedHosts: [String]
    /// The address that browsers use, if it isn't the server's own.
    let publicURL: PublicURL?
    var mount: MountPath { publicURL?.mount ?? .root }
    let proxies: TrustedProxies
    /// The origins whose scripts may read flags.
    let otherOrigins: Set<String>
    /// `nil` without encryption.
    let tls: (certificate: URL, key: URL)?
    var cautions: [String] {
        [tls.flatMap { SecretFile(url: $0.key, what: "the certificate's private key").caution }].compactMap(\.self)
    }
    /// True if only this machine reaches the server.
    let isLoopback: Bool

    /// True if a proxy ends TLS.
    var isBehindTLS: Bool { tls == nil && publicURL?.scheme == .https }

    var scheme: Dashboard.Scheme { tls == nil ? .http : .https }

    private static let loopbackHosts = ["127.0.0.1", "::1", "localhost"]

    /// - Throws: `ValidationError` (exit code 64) for an invalid setting.
    init(_ command: Serve, files: FlagFiles, host: String, port: Int) throws {
        access = command.access ?? .token
        tokensFile = TokensFile(files.tokens)
        publicURL = try Self.parsed(command.publicURL.map { [$0] } ?? [], "--public-url", PublicURL.init).first
        proxies = TrustedProxies(try Self.parsed(command.trustedProxies, "--trusted-proxy", AddressRange.init))
        otherOrigins = Set(try Self.parsed(command.corsOrigins, "--cors-origin", PublicURL.origin))
        for name in command.allowedHosts where !AllowedHost.isValid(name) {
            throw ValidationError(
                "--allowed-host: \(name) is not a valid host name. Use a name like flags.example.com, "
                    + "flags.example.com:8080 or https://flags.example.com.")
        }
        allowedHosts = command.allowedHosts + [publicURL?.origin].compactMap(\.self)
        switch (command.tlsCertificate, command.tlsKey) {
        case (let certificate?, let key?): tls = (URL(filePath: certificate), URL(filePath: key))
        case (nil, nil): tls = nil
        case (_, nil):
            throw ValidationError("--tls-certificate needs --tls-key, the certificate's private key.")
        case (nil, _):
            throw ValidationError("--tls-key needs --tls-certificate, the key's certificate.")
        }
        isLoopback = Self.loopbackHosts.contains(host)
        try checkPublicURL(port)
        try checkProxied(command)
        guard !isLoopback else { return }
        try checkOpenToOthers(command.host == nil ? "LISTEN_FDS" : "--host", host)
    }

    private static func parsed<Value>(
        _ texts: [String], _ option: String, _ parse: (String) throws(PlainError) -> Value
    ) throws -> [Value] {
        do throws(PlainError) {
            return try texts.map(parse)
        } catch {
            throw ValidationError("\(option): \(error.description).")
        }
    }

    /// Refuses to let everyone in through a proxy.
    private func checkProxied(_ command: Serve) throws {
        guard access == .open else { return }
        if let name = command.allowedHosts.first(where: { $0.contains("://") }) {
            throw ValidationError(
                "--allowed-host: with --access open, everyone who can reach \(name) could change flags. Remove --access "
                    + "open.")
        }
        guard command.trustedProxies.isEmpty else {
            throw ValidationError(
                "--trusted-proxy: with --access open, everyone who can reach the proxy could change flags. Remove "
                    + "--access open.")
        }
    }

    private func checkPublicURL(_ port: Int) throws {
        guard let publicURL else { return }
        guard access == .token else {
            throw ValidationError(
                "--public-url: with --access open, everyone who can reach \(publicURL) could change flags. Remove "
                    + "--access open.")
        }
        let own = Self.loopbackHosts.map { "https://\($0.contains(":") ? "[\($0)]" : $0):\(port)" }
        if isBehindTLS, isLoopback, own.contains(publicURL.origin) {
            throw ValidationError(
                "--public-url: \(publicURL) is Flagboard's own port, which doesn't speak https. Use the proxy's address, "
                    + "or --tls-certificate and --tls-key.")
        }
        guard publicURL.scheme == .https || tls == nil else {
            throw ValidationError(
                "--public-url: with --tls-certificate, browsers use https. Use "
                    + "\(publicURL.description.replacing(/^http:/, with: "https:")).")
        }
    }

    /// Refuses to serve other machines without protection from strangers.
    private func checkOpenToOthers(_ name: String, _ host: String) throws {
        guard access == .token else {
            throw ValidationError(
                "\(name) would give access to anyone who can reach \(host). Remove --access open, or use a loopback address: "
                    + Self.loopbackHosts.joined(separator: ", "))
        }
        var missing: [String] = []
        do throws(KeptFileError) {
            let now = Date()
            if try !tokensFile.tokens().contains(where: { !$0.isExpired(at: now) }) {
                missing.append("a named token, so that the history shows who made each change: flagboard token add")
            }
        } catch {
            throw ValidationError("\(name): \(error.description)")
        }
        if allowedHosts.isEmpty {
            missing.append(
                "the host name that browsers use: --allowed-host flags.example.com, or --public-url "
                    + "https://flags.example.com behind a proxy")
        }
        guard missing.isEmpty else {
            throw ValidationError(
                "\(name): \(host) is not a loopback address, so other machines can reach it. To allow that, add:\n"
                    + missing.map { "- \($0)" }.joined(separator: "\n"))
        }
    }
}
