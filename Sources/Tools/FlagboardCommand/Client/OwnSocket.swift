import FlagChanges
import Flagboard
import Foundation
import Logging
import ServiceLifecycle

/// Serves the user's other commands at the socket.
struct OwnSocket: Sendable {
    let application: any Service
    private let listening = AsyncStream.makeStream(of: Void.self)

    /// `nil` without a place for the socket, which was reported before.
    init?(
        _ service: ChangeService, _ dashboard: Dashboard, as person: Dashboard.Person, limits: ConnectionLimits,
        _ logger: Logger
    ) {
        guard let socket = service.socket else { return nil }
        self.init(socket, dashboard, as: person, limits: limits, logger)
    }

    init(
        _ socket: URL, _ dashboard: Dashboard, as person: Dashboard.Person,
        limits: ConnectionLimits = ConnectionLimits(), _ logger: Logger
    ) {
        let listens = listening.continuation
        application = dashboard.application(socket: socket, for: person, logger: logger, limits: limits) {
            listens.yield()
            listens.finish()
        }
    }

    /// Runs the server, and ends the wait of ``isListening()`` with it.
    func serving(_ run: () async throws -> Void) async throws {
        defer { listening.continuation.finish() }
        try await run()
    }

    /// Waits until the socket listens; `false` if it never will.
    func isListening() async -> Bool {
        for await _ in listening.stream { return true }
        return false
    }

    /// The server goes on if there can be no socket.
    ///
    /// Both stop at the same time, so that neither waits for the other's clients.
    func beside(_ server: any Service, _ logger: Logger) -> any Service {
        Beside(server: server, socket: self, logger: logger)
    }

    private struct Beside: Service, CustomStringConvertible {
        let server: any Service
        let socket: OwnSocket
        let logger: Logger

        var description: String { "server and socket" }

        func run() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { await answer() }
                try await group.waitForAll()
            }
        }

        private func answer() async {
            do {
                try await socket.serving { try await socket.application.run() }
            } catch {
                logger.warning("commands can't reach this server because it has no socket: \(error)")
            }
        }
    }
}

extension Dashboard.Person {
    /// The user who runs this program, who may do everything.
    static var owner: Dashboard.Person { Dashboard.Person(name: LocalUser.name, role: .admin) }
}
