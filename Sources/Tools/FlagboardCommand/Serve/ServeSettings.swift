import ArgumentParser
import DurableFiles
import FeatureFlagsXML
import FlagChanges
import FlagReferences
import Flagboard
import Foundation
import Logging

/// The settings of `serve`.
struct ServeSettings: Sendable {
    let files: FlagFiles
    let host: String
    let port: Int
    /// The socket that another program opened; `nil` if this one opens its own.
    let passedSocket: PassedSocket?
    /// What a new file begins with; `nil` to serve an existing one.
    let newFile: NewValuesFile?
    let isReadOnly: Bool
    /// Nobody asked for it, but the file's volume is mounted read-only, such as a ConfigMap of Kubernetes.
    let isReadOnlyByVolume: Bool
    let showsInternal: Bool
    let allowsPrivateWebhooks: Bool
    let opensBrowser: Bool
    let printsJSON: Bool
    let access: AccessSettings
    let banner: EnvironmentBanner?
    /// The rules of the file's environment, besides those of its manifest.
    let rules: EnvironmentRules
    let log: LogSettings
    let source: SourceIndex?
    /// The folder of the pages; `nil` for those inside the program.
    let resources: URL?
    /// The most event streams; `nil` for the usual number.
    let maximumStreams: Int?
    /// The providers that aren't files.
    let followed: [NamedProvider]
    let publishing: PublishSettings?
    /// The longest wait of a change for other writers.
    let patience: Duration

    /// The highest limit of event streams, each of which takes a connection.
    private static let mostStreams = 10_000

    /// Reads the settings.
    ///
    /// - Throws: `ValidationError` (exit code 64) for an invalid setting.
    init(_ command: Serve, environment: [String: String]) throws {
        let files = try command.served.files(
            FlagboardEnvironment(environment), environment: command.environment?.banner.text, tokens: command.tokens,
            providers: command.provided.providers)
        self.files = files
        banner = try Self.banner(command)
        rules = EnvironmentRules(
            requiresReason: command.requireReason, confirmsChanges: command.confirmChanges)
        guard !rules.confirmsChanges || files.environment != nil else {
            throw ValidationError(
                "--confirm-changes needs the name to confirm: add --environment NAME, such as --environment Production:red."
            )
        }
        let names = files.providers.map(\.name) + files.defaults.map(\.name)
        guard Set(names).count == names.count else {
            throw ValidationError("Two providers have the same name. Give each --provider a different name.")
        }
        do throws(PlainError) {
            passedSocket = try PassedSocket.find(environment)
        } catch {
            throw ValidationError(error.description)
        }
        guard passedSocket == nil || (command.host == nil && command.port == nil) else {
            throw ValidationError(
                "LISTEN_FDS passed a socket, which has its own address. Remove --host and --port.")
        }
        host = passedSocket?.host ?? command.host ?? "127.0.0.1"
        port = passedSocket?.port ?? command.port ?? 8080
        guard (0...65535).contains(port) else {
            throw ValidationError("--port: \(port) is not a valid port. Use a number from 0 to 65535.")
        }
        access = try AccessSettings(command, files: files, host: host, port: port)
        do throws(PlainError) {
            source = try command.source.map { path throws(PlainError) in
                SourceIndex(try SourceFolder(URL(filePath: path)), try SourceProgram.find())
            }
        } catch {
            throw ValidationError("--source: \(error.description).")
        }
        resources = command.resources.map { URL(filePath: $0) }
        maximumStreams = command.maxStreams
        if let maximumStreams, !(1...Self.mostStreams).contains(maximumStreams) {
            throw ValidationError("--max-streams: use a number from 1 to \(Self.mostStreams), not \(maximumStreams).")
        }
        followed = try command.provided.followed(in: files)
        publishing = try PublishSettings(command.publishing)
        patience = try command.served.patience
        guard !command.create || !command.demo else {
            throw ValidationError(
                "--create and --demo can't be combined. --create makes an empty file, and --demo one with demo flags.")
        }
        newFile = command.demo ? .demonstration : command.create ? .empty : nil
        isReadOnlyByVolume = !command.readOnly && AtomicFile.isOnReadOnlyVolume(files.values)
        isReadOnly = command.readOnly || isReadOnlyByVolume
        showsInternal = command.showInternal
        allowsPrivateWebhooks = command.allowPrivateWebhooks
        opensBrowser = !command.noBrowser
        printsJSON = command.json
        log = LogSettings(format: command.logFormat ?? .text, level: command.logLevel ?? .warning)
    }

    /// Returns the mark of the pages: the environment, or the text of `--banner`, or the word for a demonstration.
    private static func banner(_ command: Serve) throws -> EnvironmentBanner? {
        guard let environment = command.environment?.banner else {
            return command.banner?.banner ?? (command.demo ? EnvironmentBanner(text: "Demonstration") : nil)
        }
        if let banner = command.banner?.banner, banner.text != environment.text {
            throw ValidationError(
                "--environment \(environment.text) and --banner \(banner.text) are different. Remove --banner, because "
                    + "--environment NAME:COLOUR also sets the colour.")
        }
        return environment
    }
}
