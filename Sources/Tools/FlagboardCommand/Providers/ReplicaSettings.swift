import ArgumentParser
import FeatureFlagsRemote
import FlagChanges
import FlagReplicas
import Foundation

/// The settings of `serve` for a replica of another Flagboard.
struct ReplicaSettings: FollowedProvider {
    static let environmentRefusal: String? =
        "another Flagboard server can't be an environment here, because it brings its own definitions. Remove :env, or "
        + "use a file."

    let name: String
    fileprivate let source: String
    fileprivate let files: ReplicaFiles
    fileprivate let credential: RemoteCredential?
    private let token: URL?
    fileprivate let trust: RemoteTrust
    fileprivate let maximumSize: Int

    static func matches(_ source: String) -> Bool { source.wholeMatch(of: /(?i)https?:\/\/.*/) != nil }

    static func copy(of name: String, beside files: FlagFiles) -> URL { copies(of: name, beside: files).values }

    private static func copies(of name: String, beside files: FlagFiles) -> ReplicaFiles {
        ReplicaFiles(beside: files.values, of: name, manifest: files.manifest)
    }

    static func all(_ options: ProviderOptions, in files: FlagFiles) throws -> [ReplicaSettings] {
        let sources = files.providers.compactMap { provider in provider.origin.map { (provider.name, $0) } }
            .filter { matches($0.1) }
        guard sources.count < 2 else {
            throw ValidationError(
                "--provider: only one other Flagboard server can be followed, because it brings the definitions.")
        }
        guard !sources.isEmpty || options.providerToken == nil && options.providerCA == nil else {
            throw ValidationError(
                "Use --provider-token and --provider-ca only with another Flagboard server: --provider "
                    + "NAME=https://flags.example.com/")
        }
        return try sources.map { try ReplicaSettings(options, files, name: $0.0, source: $0.1) }
    }

    private init(_ options: ProviderOptions, _ files: FlagFiles, name: String, source: String) throws {
        (self.name, self.source) = (name, source)
        let authorities = options.providerCA.map { URL(filePath: $0) }
        guard authorities == nil || source.lowercased().hasPrefix("https:") else {
            throw ValidationError("--provider-ca needs an encrypted connection. Use an https:// address.")
        }
        self.files = Self.copies(of: name, beside: files)
        maximumSize = files.maximumFileSize
        token = options.providerToken.map { URL(filePath: $0) }
        credential = token.map { .bearer(file: $0) }
        do throws(RemoteError) {
            trust = try RemoteTrust(authorities: authorities)
        } catch {
            throw ValidationError("--provider-ca: \(error.description).")
        }
        do throws(RemoteError) {
            _ = try Replica(self) { _ in }
        } catch {
            throw ValidationError("--provider: \(error.description).")
        }
    }

    /// Warnings about a token that others can read, on this machine or the network.
    var cautions: [String] {
        [token.flatMap { SecretFile(url: $0, what: "the token for \(source)").caution }, cautionOfNetwork].compactMap(
            \.self)
    }

    private var cautionOfNetwork: String? {
        guard credential != nil, source.lowercased().hasPrefix("http:"), let host = URL(string: source)?.host(),
            !["127.0.0.1", "localhost", "::1"].contains(host)
        else { return nil }
        return
            "The token for \(source) is sent unencrypted, so anyone on the network can read it. Use an https:// "
            + "address."
    }

    var definingServer: String? { source }

    func follower(_ log: @escaping @Sendable (String) -> Void) throws -> any FlagFollower { try Replica(self, log) }
}

extension Replica: FlagFollower {
    fileprivate convenience init(
        _ settings: ReplicaSettings, _ log: @escaping @Sendable (String) -> Void
    ) throws(RemoteError) {
        try self.init(
            of: settings.source, in: settings.files, credential: settings.credential, trust: settings.trust,
            maximumSize: settings.maximumSize, log: log)
    }
}
