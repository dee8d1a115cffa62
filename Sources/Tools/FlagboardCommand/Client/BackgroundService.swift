import DurableFiles
import FlagChanges
import Flagboard
import Logging
import ServiceLifecycle

/// A task that runs beside the server and is cancelled on graceful shutdown.
///
/// `ServiceGroup` prints each of its services at start. Without a description, Swift reflects the whole value, dashboard included, which
/// took half of the start.
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
    /// Takes up what other programs write to the files, between two requests.
    static func outsideEdits(of service: ChangeService) -> BackgroundService {
        BackgroundService("edits by other programs") { await service.watch() }
    }

    /// Ends the streams of those whose token is revoked, as soon as the file of the tokens says so.
    static func revokedTokens(in file: TokensFile, of dashboard: Dashboard) -> BackgroundService {
        let watcher = FileWatcher([file.url])
        return BackgroundService("revoked tokens") {
            for await _ in watcher.changes() { dashboard.endStrangersStreams() }
        }
    }
}

/// Logs that the process was told to stop, since it may take a while until it has.
struct StopNote: Service, CustomStringConvertible {
    let logger: Logger

    var description: String { "note of the stop" }

    func run() async throws {
        try await gracefulShutdown()
        logger.info("Flagboard is stopping: what was asked is still answered")
    }
}
