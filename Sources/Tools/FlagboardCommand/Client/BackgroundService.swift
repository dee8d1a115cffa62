import DurableFiles
import FlagApps
import FlagChanges
import Flagboard
import Logging
import ServiceLifecycle

/// Runs beside the server until graceful shutdown.
///
/// `ServiceGroup` prints its services at start. Without a description, Swift reflects the whole value, dashboard
/// included, which took half of the start.
struct BackgroundService: Service, CustomStringConvertible {
    let description: String
    private let work: @Sendable () async -> Void

    init(_ description: String, _ work: @escaping @Sendable () async -> Void) {
        self.description = description
        self.work = work
    }

    func run() async throws {
        await cancelWhenGracefulShutdown(work)
    }
}

extension BackgroundService {
    /// Records edits by other programs, between two requests.
    static func outsideEdits(of service: ChangeService) -> BackgroundService {
        BackgroundService("external edits") { await service.watch() }
    }

    /// `nil` without a folder for the socket.
    static func apps(_ apps: ConnectedApps, of service: ChangeService) -> BackgroundService? {
        service.socketForApps.map { socket in
            BackgroundService("running apps") { await apps.run(at: socket) { await service.lookSoon() } }
        }
    }

    /// Ends the streams of revoked tokens as soon as the tokens file changes.
    static func revokedTokens(in file: TokensFile, of dashboard: Dashboard) -> BackgroundService {
        let watcher = FileWatcher([file.url])
        return BackgroundService("revoked tokens") {
            for await _ in watcher.changes() { dashboard.endStrangersStreams() }
        }
    }
}

/// Logs that the process is stopping, which may take a while.
struct StopNote: Service, CustomStringConvertible {
    let logger: Logger

    var description: String { "shutdown message" }

    func run() async throws {
        try await gracefulShutdown()
        logger.info("Flagboard is shutting down and finishing the requests in progress")
    }
}
