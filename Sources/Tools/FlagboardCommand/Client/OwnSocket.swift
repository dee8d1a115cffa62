import FlagChanges
import Flagboard
import Foundation
import Logging
import ServiceLifecycle

/// The dashboard at the socket by which the other commands of this user come in.
struct OwnSocket: Sendable {
    /// What answers there.
    let application: any Service
    private let listening = AsyncStream.makeStream(of: Void.self)

    /// Fails where the user's processes have no place for a socket, which was told then.
    init?(
        _ service: ChangeService, _ dashboard: Dashboard, as person: Dashboard.Person, limits: ConnectionLimits,
        _ logger: Logger
    ) {
        guard let socket = service.socket else { return nil }
        self.init(socket, dashboard, as: person, limits: limits, logger)
    }

    /// - Parameters:
    ///   - socket: Where it is to be.
    ///   - dashboard: What answers there.
    ///   - person: Who comes in.
    ///   - limits: How many connections there may be, and how long each may take.
    ///   - logger: Where the server logs.
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

    /// Answers until that ends, for whatever reason.
    func serving(_ run: () async throws -> Void) async throws {
        defer { listening.continuation.finish() }
        try await run()
    }

    /// Waits until the socket is answered, or never will be.
    func isListening() async -> Bool {
        for await _ in listening.stream { return true }
        return false
    }

    /// Serves beside a server, which goes on without it where there can be no socket.
    ///
    /// - Parameter server: The server; both are stopped at the same time, so that neither waits for the other's clients.
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
                logger.warning("commands of this user can't ask this server, for there is no socket: \(error)")
            }
        }
    }
}

extension Dashboard.Person {
    /// The user who runs this program, who may do everything.
    static var owner: Dashboard.Person { Dashboard.Person(name: LocalUser.name, role: .admin) }
}
