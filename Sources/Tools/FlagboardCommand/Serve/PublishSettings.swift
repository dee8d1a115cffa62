import ArgumentParser
import FeatureFlagsRemote
import FlagChanges
import FlagPublishing
import Foundation
import Logging

struct PublishSettings: Sendable {
    let address: EtcdAddress
    let access: EtcdAccess
    /// Warnings about secrets that every user of the machine can read.
    let cautions: [String]

    /// `nil` if nothing is published.
    init?(_ command: PublishOptions) throws {
        func url(_ option: String?) -> URL? { option.map { URL(filePath: $0) } }
        let (user, password) = (command.publishUser, url(command.publishPassword))
        let (authorities, certificate) = (url(command.publishCA), url(command.publishCertificate))
        let key = url(command.publishKey)
        guard let text = command.publish else {
            guard user == nil, password == nil, authorities == nil, certificate == nil, key == nil else {
                throw ValidationError("Options such as --publish-user need an address to publish to. Add --publish.")
            }
            return nil
        }
        do throws(RemoteError) {
            address = try EtcdAddress(text)
        } catch {
            throw ValidationError("--publish: \(error.description).")
        }
        guard address.isEncrypted || (authorities == nil && certificate == nil && key == nil) else {
            throw ValidationError(
                "--publish: certificates need an encrypted connection. Use an etcds:// address.")
        }
        guard (user == nil) == (password == nil) else {
            throw ValidationError(
                "Use --publish-user and --publish-password together.")
        }
        cautions = [(password, "etcd's password"), (key, "a private key")].compactMap { url, what in
            url.flatMap { SecretFile(url: $0, what: what).caution }
        }
        do throws(RemoteError) {
            access = EtcdAccess(
                trust: try RemoteTrust(authorities: authorities, certificate: certificate, key: key), user: user,
                password: password)
        } catch {
            throw ValidationError("--publish: \(error.description).")
        }
    }
}

struct PublishOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Publish the flags and every change to etcd. etcds:// encrypts the connection.",
            valueName: "etcd://HOST:PORT[,HOST…]/PREFIX"))
    var publish: String?

    @Option(help: ArgumentHelp("The user name for etcd, if it requires one.", valueName: "NAME"))
    var publishUser: String?

    @Option(help: ArgumentHelp("A file with the password of that user.", valueName: "F"), completion: .file())
    var publishPassword: String?

    @Option(
        name: .customLong("publish-ca"),
        help: ArgumentHelp(
            "The certificate authorities to trust for etcd, in PEM (default: the system's).",
            valueName: "F"), completion: .file())
    var publishCA: String?

    @Option(
        help: ArgumentHelp("The client certificate for etcd, with its chain, in PEM.", valueName: "F"),
        completion: .file())
    var publishCertificate: String?

    @Option(
        help: ArgumentHelp(
            "The private key of the client certificate, in PEM.", valueName: "F"), completion: .file())
    var publishKey: String?
}
