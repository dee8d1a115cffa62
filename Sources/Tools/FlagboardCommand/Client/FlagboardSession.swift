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

/// Reaches the flags by the process that serves the file, or else by itself.
///
/// So there is never a second writer, and every request meets the same rules.
struct FlagboardSession: Sendable {
    enum Use: Sendable {
        /// Locks, records and writes nothing.
        case looking
        case changing
        /// Follows changes; other commands go through it meanwhile.
        case watching
    }

    let files: FlagFiles
    let use: Use
    /// `nil` for the user who runs the command.
    let token: String?
    /// `true` to ignore a server of the file, for requests about other files too.
    var isAlone = false

    /// The longest wait for a silent server, or a command that has the file.
    let patience: Duration

    /// The longest wait for this process itself, which no other process can hang.
    private static let patienceWithItself = TimeAmount.minutes(5)
    /// The longest silence of a running stream of events.
    private static let silence = Duration.seconds(30)
    private static let pause = Duration.milliseconds(20)

    func run<Value: Sendable>(_ body: @Sendable (FlagboardClient) async throws -> Value) async throws -> Value {
        var deadline = ContinuousClock.now + patience
        var lastHolder: String?
        // However often it retries, a command makes at most one change, once.
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
                guard server != nil || !holder.hasPrefix("http") else { throw Self.foreign(error) }
                // Commands take turns; only one that keeps the file for long isn't waited for.
                if holder != lastHolder { (lastHolder, deadline) = (holder, ContinuousClock.now + patience) }
                if ContinuousClock.now > deadline { throw CommandRefusal(error.description) }
            } catch let error where server?.socket != nil && Self.isSilence(error) {
                throw silent(server?.name ?? "the server")
            } catch let error where server?.socket != nil && Self.isLostConnection(error) {
                // The server ended before or after the work, or its socket was removed.
                if use == .looking { return try await alone(key, body) }
                guard use != .watching, ContinuousClock.now < deadline else {
                    throw CommandRefusal("Can't reach \(server?.name ?? "the server") at its socket. Restart it.")
                }
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    static func isLostConnection(_ error: any Error) -> Bool {
        error is IOError || error is ChannelError || error is HTTPParserError
            || error as? HTTPClientError == .remoteConnectionClosed
    }

    static func isSilence(_ error: any Error) -> Bool {
        let silences: [HTTPClientError] = [.readTimeout, .writeTimeout, .connectTimeout, .deadlineExceeded]
        return (error as? HTTPClientError).map(silences.contains) ?? false
    }

    private func silent(_ server: String) -> CommandRefusal {
        let doubt =
            use == .changing
            ? " The change may still go through. Check flagboard history before you repeat it." : ""
        return CommandRefusal(
            "\(server) has the file open but hasn't responded for \(CommandTimeout.words(patience)): it is suspended "
                + "or busy. Resume it, end it, or wait longer with --timeout SECONDS.\(doubt)")
    }

    private static func foreign(_ error: ChangeServiceStartError) -> CommandRefusal {
        CommandRefusal(
            "\(error.description) It runs as another user, or can't be reached. Make the change there.",
            exit: .notSignedIn)
    }

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

    /// Serves the body's requests in this process.
    private func alone<Value: Sendable>(
        _ key: String, _ body: @Sendable (FlagboardClient) async throws -> Value
    ) async throws -> Value {
        let service = try opened()
        defer { if use != .looking { service.history.close() } }
        let logger = Logger.ofCommand
        // A token identifies its holder here too.
        let access =
            token == nil
            ? AccessPolicy.open(as: .owner) : .signIn(AccessControl(tokensFile: TokensFile(files.tokens)))
        let dashboard = Dashboard(
            service: service, pages: nil, access: access, hosts: HostAllowList(), source: nil)
        let isShared = use == .watching && service.socket != nil
        let folder = isShared ? nil : try TemporaryFolder()
        guard let socket = folder?.url.appending(path: "socket") ?? service.socket else {
            throw CommandRefusal("no folder is available for a socket.")
        }
        let door = OwnSocket(socket, dashboard, as: .owner, logger)
        let watch: [BackgroundService] = use == .watching ? [.outsideEdits(of: service)] : []
        let services = ServiceGroup(services: watch as [any Service] + [door.application], logger: logger)
        async let serving: Void = door.serving { try await services.run() }
        // Otherwise the requests fail, and `serving` throws the cause.
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

    private func opened() throws -> ChangeService {
        var options = ChangeService.Options(log: { CommandOutput.warn($0) })
        options.rules = try FlagboardEnvironment.current.rules()
        (options.patience, options.busyTimeout) = (patience, patience)
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
