import AsyncHTTPClient
import DurableFiles
import FlagChanges
import FlagHistory
import Flagboard
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// A command's way to the flags: through the process that serves the file, else through one that this process is for so long.
///
/// So there is never a second writer, and whatever comes in meets the same rules.
struct FlagboardSession: Sendable {
    /// What a command is up to.
    enum Use: Sendable {
        /// To look at the files as they are: nothing is locked, recorded or written.
        case looking
        /// To change them.
        case changing
        /// To follow them for as long as the command runs, during which other commands go through it.
        case watching
    }

    let files: FlagFiles
    let use: Use
    /// The token of who asks; `nil` for the user who runs the command.
    let token: String?
    /// Whether a server of the file is passed over, since what is asked is about other files too.
    var isAlone = false

    /// The longest wait for another process that is silent: a server, or a command that has the file.
    let patience: Duration

    /// The longest wait for this process itself: no other process can hang in its work.
    private static let patienceWithItself = TimeAmount.minutes(5)
    /// The longest silence of a stream of events that goes on.
    private static let silence = Duration.seconds(30)
    private static let pause = Duration.milliseconds(20)

    /// Runs a body that asks for things.
    ///
    /// - Throws: What the body throws; why there is no way to the flags.
    func run<Value: Sendable>(_ body: @Sendable (FlagboardClient) async throws -> Value) async throws -> Value {
        var deadline = ContinuousClock.now + patience
        var lastHolder: String?
        // A command does one thing at most, and does it once, however often it has to ask.
        let key = UUID().uuidString
        while true {
            let server = isAlone ? nil : RunningServer.find(files)
            do {
                if let socket = server?.socket {
                    return try await ask(socket, key, waitingFor: .nanoseconds(patience), body)
                }
                return try await alone(key, body)
            } catch let error as ChangeServiceStartError {
                guard let holder = error.holder else { throw CommandRefusal(error.description) }
                guard server != nil || !holder.contains("://") else { throw Self.foreign(error) }
                // Commands take their turns; only one that has the file for long is not waited for.
                if holder != lastHolder { (lastHolder, deadline) = (holder, ContinuousClock.now + patience) }
                if ContinuousClock.now > deadline { throw CommandRefusal(error.description) }
            } catch let error where server?.socket != nil && Self.isSilence(error) {
                throw silent(server?.name ?? "the server")
            } catch let error where server?.socket != nil && Self.isLostConnection(error) {
                // The server ended meanwhile, before or after it did what was asked for; or its socket was removed.
                if use == .looking { return try await alone(key, body) }
                guard use != .watching, ContinuousClock.now < deadline else {
                    throw CommandRefusal("\(server?.name ?? "the server") answers no longer at its socket: restart it.")
                }
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Whether an error says that the other side is gone.
    static func isLostConnection(_ error: any Error) -> Bool {
        error is IOError || error is ChannelError || error is HTTPParserError
            || error as? HTTPClientError == .remoteConnectionClosed
    }

    /// Whether an error comes from the silence of the other side.
    static func isSilence(_ error: any Error) -> Bool {
        let silences: [HTTPClientError] = [.readTimeout, .writeTimeout, .connectTimeout, .deadlineExceeded]
        return (error as? HTTPClientError).map(silences.contains) ?? false
    }

    private func silent(_ server: String) -> CommandRefusal {
        let doubt =
            use == .changing
            ? " The change may be made nevertheless: look with flagboard history before you make it again." : ""
        return CommandRefusal(
            "\(server) has the file, and has said nothing for \(CommandTimeout.words(patience)): it is stopped, or busy. Let it go "
                + "on, end it, or wait longer with --timeout SECONDS.\(doubt)")
    }

    private static func foreign(_ error: ChangeServiceStartError) -> CommandRefusal {
        CommandRefusal(
            "\(error.description) It runs as another user, or can't be found: make the change there.",
            exit: .notSignedIn)
    }

    /// Asks at a socket.
    private func ask<Value: Sendable>(
        _ socket: URL, _ key: String, waitingFor patience: TimeAmount,
        _ body: @Sendable (FlagboardClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        let silence = use == .watching ? max(patience, .nanoseconds(Self.silence)) : patience
        configuration.timeout = HTTPClient.Configuration.Timeout(connect: patience, read: silence, write: patience)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.redirectConfiguration = .disallow
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(
                    FlagboardClient(http, socket, token: token, idempotencyKey: key, patience: patience)))
        } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        return try result.get()
    }

    /// Has this process answer itself.
    private func alone<Value: Sendable>(
        _ key: String, _ body: @Sendable (FlagboardClient) async throws -> Value
    ) async throws -> Value {
        let service = try opened()
        defer { if use != .looking { service.history.close() } }
        let logger = Logger.ofCommand
        // Who holds a token is its holder here as well.
        let access =
            token == nil
            ? AccessPolicy.open(as: .owner) : .signIn(AccessControl(tokensFile: TokensFile(files.tokens)))
        let dashboard = Dashboard(
            service: service, pages: nil, access: access, hosts: HostAllowList(), source: nil)
        let isShared = use == .watching && service.socket != nil
        let folder = isShared ? nil : try TemporaryFolder()
        guard let socket = folder?.url.appending(path: "socket") ?? service.socket else {
            throw CommandRefusal("there is no place for a socket.")
        }
        let door = OwnSocket(socket, dashboard, as: .owner, logger)
        let watch: [BackgroundService] = use == .watching ? [.outsideEdits(of: service)] : []
        let services = ServiceGroup(services: watch as [any Service] + [door.application], logger: logger)
        async let serving: Void = door.serving { try await services.run() }
        // Where it is not, what is asked fails, and what serves says why.
        _ = await door.isListening()
        let result: Result<Value, any Error>
        do {
            if use == .watching { try await service.announce("flagboard watch", answersSocket: isShared) }
            result = .success(try await ask(socket, key, waitingFor: Self.patienceWithItself, body))
        } catch {
            result = .failure(error)
        }
        await services.triggerGracefulShutdown()
        try await serving
        withExtendedLifetime(folder) {}
        return try result.get()
    }

    private func opened() throws(ChangeServiceStartError) -> ChangeService {
        var options = ChangeService.Options(log: { CommandOutput.warn($0) })
        options.patience = patience
        switch use {
        case .looking: return try ChangeService(observing: files, options: options)
        case .changing, .watching: return try ChangeService(files: files, options: options)
        }
    }
}

extension TimeAmount {
    fileprivate static func nanoseconds(_ duration: Duration) -> TimeAmount {
        .nanoseconds(Int64(duration / .nanoseconds(1)))
    }
}
