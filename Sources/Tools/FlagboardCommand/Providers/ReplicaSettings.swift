import ArgumentParser
import FeatureFlagsRemote
import FlagChanges
import FlagReplicas
import Foundation

/// The settings of `serve` for a replica of another Flagboard.
struct ReplicaSettings: FollowedProvider {
    static let prefixes = ["https://", "http://"]
    static let help = "With a URL, the provider is another Flagboard server."
    static let fileWord = "replica"
    static var settings: ProviderSettings? {
        ProviderSettings(
            options: [\.providerToken, \.providerCA],
            refusal: "Use --provider-token and --provider-ca only with another Flagboard server: --provider "
                + "NAME=https://flags.example.com/")
    }
    static let definitions: DefiningRefusals? = DefiningRefusals(
        ofEnvironment: "another Flagboard server can't be an environment here, because it has its own definitions. "
            + "Remove :env, or use a file.",
        ofSecond: "--provider: only one other Flagboard server can be followed, because the definitions come from it.")

    fileprivate let source: String
    fileprivate let files: ReplicaFiles
    fileprivate let credential: RemoteCredential?
    private let token: URL?
    fileprivate let trust: RemoteTrust
    fileprivate let maximumSize: Int

    init(_ source: String, keptIn copy: URL, of files: FlagFiles, _ options: ProviderOptions) throws {
        self.source = source
        let authorities = options.providerCA.map { URL(filePath: $0) }
        guard authorities == nil || source.lowercased().hasPrefix("https:") else {
            throw ValidationError("--provider-ca needs an encrypted connection. Use an https:// address.")
        }
        self.files = ReplicaFiles(values: copy, manifest: files.manifest)
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

    /// A token that others can read, on this machine or the network.
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

    func run(changed: @escaping @Sendable () async -> Void) async { await run() }
}
