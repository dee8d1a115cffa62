import FlagChanges
import ServiceLifecycle

/// Has the change service take up outside edits between two requests, for as long as the process serves.
struct OutsideWatch: Service {
    let service: ChangeService

    func run() async throws {
        await cancelWhenGracefulShutdown { await service.watch() }
    }
}
