import Foundation
import Hummingbird
import Logging

extension Dashboard {
    /// The routes and everything that guards them.
    ///
    /// - Parameter logger: Where faults go that no answer tells of.
    /// - Returns: A router to run, which the tests call too.
    func router(logger: Logger) -> Router<DashboardContext> {
        let router = Router(context: DashboardContext.self, options: .autoGenerateHeadEndpoints)
        router.middlewares.add(SecurityHeaders())
        router.middlewares.add(RefusalPages(dashboard: self))
        router.middlewares.add(Problems(dashboard: self))
        router.middlewares.add(HostCheck(hosts: hosts))
        router.middlewares.add(MethodCheck())
        router.middlewares.add(SameOriginCheck())
        router.middlewares.add(PublicFiles(folder: publicFolder.path(percentEncoded: false), logger: logger))
        addFlagRoutes(to: router)
        addHistoryRoutes(to: router)
        addExportRoutes(to: router)
        addAPIRoutes(to: router)
        addBatchRoute(to: router)
        return router
    }

    /// The dashboard as an application that serves HTTP.
    ///
    /// - Parameters:
    ///   - host: The address to bind.
    ///   - port: The port to bind; 0 picks a free one.
    ///   - logger: Where the server logs.
    ///   - onListening: Called with the port once the server answers.
    /// - Returns: The application, to be run as a service.
    public func application(
        host: String, port: Int, logger: Logger, onListening: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: router(logger: logger),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                hosts.allow(host: host, port: port)
                await onListening(port)
            },
            logger: logger)
    }
}
