import ArgumentParser
import FeatureFlagsRemote
import FlagChanges
import FlagReplicas
import Foundation

/// The settings of `serve` for a replica of another Flagboard.
struct ReplicaSettings: Sendable {
    let source: String
    let provider: String
    private let files: ReplicaFiles
    private let credential: RemoteCredential?
    private let token: URL?
    private let trust: RemoteTrust
    private let maximumSize: Int

    /// Reads the options; `nil` if no provider is another Flagboard.
    init?(_ command: Serve, _ variables: FlagboardEnvironment, files: FlagFiles) throws {
        let token = (command.providerToken ?? variables["PROVIDER_TOKEN"]).map { URL(filePath: $0) }
        let authorities = (command.providerCA ?? variables["PROVIDER_CA"]).map { URL(filePath: $0) }
        let remote = files.providers.filter { $0.origin != nil }
        guard remote.count < 2 else {
            throw ValidationError(
                "--provider: the definitions are those of the other Flagboard, so only one can be followed.")
        }
        guard let provider = remote.first, let source = provider.origin else {
            guard token == nil, authorities == nil else {
                throw ValidationError(
                    "--provider-token and --provider-ca are for a provider that is another Flagboard: "
                        + "--provider NAME=https://flags.example.com/")
            }
            return nil
        }
        (self.source, self.provider) = (source, provider.name)
        guard authorities == nil || source.lowercased().hasPrefix("https:") else {
            throw ValidationError("--provider-ca needs an encrypted connection; write the address as https://…")
        }
        self.files = ReplicaFiles(beside: files.providers[0].url, of: provider.name, manifest: files.manifest)
        maximumSize = files.maximumFileSize
        self.token = token
        credential = token.map { .bearer(file: $0) }
        do throws(RemoteError) {
            trust = try RemoteTrust(authorities: authorities)
        } catch {
            throw ValidationError("--provider-ca: \(error.description).")
        }
        do throws(RemoteError) {
            _ = try replica { _ in }
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
            "The token for \(source) is not encrypted: anyone on the network between can read it. Write the address as https://…"
    }

    func replica(_ log: @escaping @Sendable (String) -> Void) throws(RemoteError) -> Replica {
        try Replica(
            of: source, in: files, credential: credential, trust: trust, maximumSize: maximumSize, log: log)
    }
}
