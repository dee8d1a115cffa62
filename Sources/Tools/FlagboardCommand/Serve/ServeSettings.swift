import ArgumentParser
import FlagChanges
import FlagReferences
import Flagboard
import Foundation
import Logging

/// The settings of `serve`, from the command line or else the environment.
struct ServeSettings: Sendable {
    let files: FlagFiles
    let host: String
    let port: Int
    /// The socket that another program opened; `nil` if this one opens its own.
    let passedSocket: PassedSocket?
    let createsFile: Bool
    let isReadOnly: Bool
    let showsInternal: Bool
    let opensBrowser: Bool
    let printsJSON: Bool
    let access: AccessSettings
    let banner: EnvironmentBanner?
    let log: LogSettings
    let source: SourceIndex?
    /// The folder of the pages; `nil` for those inside the program.
    let resources: URL?
    /// The most event streams; `nil` for the usual number.
    let maximumStreams: Int?
    let replica: ReplicaSettings?
    let publishing: PublishSettings?
    /// The longest wait of a change for other writers.
    let patience: Duration

    /// The highest limit of event streams, each of which takes a connection.
    private static let mostStreams = 10_000

    /// Reads the settings.
    ///
    /// - Throws: `ValidationError` (exit code 64) for an invalid setting.
    init(_ command: Serve, environment: [String: String]) throws {
        let variables = FlagboardEnvironment(environment)
        files = try command.served.files(variables, tokens: command.tokens, providers: command.providers)
        let names = files.providers.map(\.name)
        guard Set(names).count == names.count else {
            throw ValidationError("Two providers have the same name: give each --provider a name of its own.")
        }
        do throws(CommandError) {
            passedSocket = try PassedSocket.find(environment)
        } catch {
            throw ValidationError(error.description)
        }
        guard passedSocket == nil || (command.host == nil && command.port == nil) else {
            throw ValidationError(
                "a socket was passed by LISTEN_FDS, which has its address: leave out --host and --port.")
        }
        host = passedSocket?.host ?? command.host ?? variables["HOST"] ?? "127.0.0.1"
        access = try AccessSettings(command, variables, files: files, host: host)
        port = try passedSocket?.port ?? command.port ?? variables.integer("PORT") ?? 8080
        guard (0...65535).contains(port) else {
            let name = command.port == nil ? "FLAGBOARD_PORT" : "--port"
            throw ValidationError("\(name): \(port) is no port; it is 0 to 65535.")
        }
        banner = try (command.banner ?? variables.banner())?.banner
        do throws(SourceAccessError) {
            source = try (command.source ?? variables["SOURCE"]).map { path throws(SourceAccessError) in
                SourceIndex(try SourceFolder(URL(filePath: path)), try SourceProgram.find())
            }
        } catch {
            throw ValidationError("\(command.source == nil ? "FLAGBOARD_SOURCE" : "--source"): \(error.description).")
        }
        resources = (command.resources ?? variables["RESOURCES"]).map { URL(filePath: $0) }
        maximumStreams = try command.maxStreams ?? variables.integer("MAX_STREAMS")
        if let maximumStreams, !(1...Self.mostStreams).contains(maximumStreams) {
            let name = command.maxStreams == nil ? "FLAGBOARD_MAX_STREAMS" : "--max-streams"
            throw ValidationError("\(name): \(maximumStreams) is not from 1 to \(Self.mostStreams).")
        }
        replica = try ReplicaSettings(command, variables, files: files)
        publishing = try PublishSettings(command.publishing, variables)
        patience = try command.served.patience
        createsFile = try command.create || variables.bool("CREATE")
        isReadOnly = try command.readOnly || variables.bool("READ_ONLY")
        showsInternal = try command.showInternal || variables.bool("SHOW_INTERNAL")
        opensBrowser = try !(command.noBrowser || variables.bool("NO_BROWSER"))
        printsJSON = try command.json || variables.bool("JSON")
        log = LogSettings(
            format: try command.logFormat ?? variables.choice("LOG_FORMAT") ?? .text,
            level: try command.logLevel ?? variables.choice("LOG_LEVEL") ?? .warning)
    }
}
