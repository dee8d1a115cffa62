import DurableFiles
import FlagChanges
import Flagboard
import Logging
import ServiceLifecycle

/// Work beside the server, cancelled when the process is told to stop.
///
/// The group of services describes each of its services for the log: without a description of its own, one is printed with all that it
/// holds, which takes longer than everything else at a start.
struct WorkBeside: Service, CustomStringConvertible {
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

extension WorkBeside {
    /// Takes up what other programs write to the files, between two requests.
    static func outsideEdits(of service: ChangeService) -> WorkBeside {
        WorkBeside("edits by other programs") { await service.watch() }
    }

    /// Ends the streams of those whose token is revoked, as soon as the file of the tokens says so.
    static func revokedTokens(in file: TokensFile, of dashboard: Dashboard) -> WorkBeside {
        let watcher = FileWatcher([file.url])
        return WorkBeside("revoked tokens") {
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
