import DurableFiles
import FlagChanges
import FlagWebhooks
import Flagboard
import Logging
import ServiceLifecycle

/// Has the change service take up outside edits between two requests, for as long as the process serves.
struct OutsideWatch: Service {
    let service: ChangeService

    func run() async throws {
        await cancelWhenGracefulShutdown { await service.watch() }
    }
}

/// Tells webhooks of changes, for as long as the process serves.
struct WebhookDelivery: Service {
    let sender: WebhookSender

    func run() async throws {
        await cancelWhenGracefulShutdown { await sender.run() }
    }
}

/// Ends the streams of those whose token is revoked, as soon as the file of the tokens says so.
struct TokensWatch: Service {
    let tokensFile: TokensFile
    let dashboard: Dashboard

    func run() async throws {
        let watcher = FileWatcher([tokensFile.url])
        await cancelWhenGracefulShutdown {
            for await _ in watcher.changes() { dashboard.endStrangersStreams() }
        }
    }
}

/// Logs that the process was told to stop, since it may take a while until it has.
struct StopNote: Service {
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        logger.info("Flagboard is stopping: what was asked is still answered")
    }
}
