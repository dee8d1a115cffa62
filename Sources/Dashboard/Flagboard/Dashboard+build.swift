import DurableFiles
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import Synchronization

extension Dashboard {
    func router(logger: Logger) -> Router<DashboardContext> {
        let router = Router(context: DashboardContext.self, options: .autoGenerateHeadEndpoints)
        router.middlewares.add(RequestTimes(metrics: metrics))
        router.middlewares.add(ForwardedRequests(proxies: proxies))
        router.middlewares.add(SecurityHeaders())
        router.middlewares.add(CrossOriginReads(origins: otherOrigins))
        router.middlewares.add(Compression())
        router.middlewares.add(SettingsLookup())
        router.middlewares.add(ErrorPages(dashboard: self))
        router.middlewares.add(ErrorDocuments(dashboard: self))
        router.middlewares.add(HostCheck(hosts: hosts))
        router.middlewares.add(MethodCheck())
        router.middlewares.add(ProviderAlias(dashboard: self))
        router.middlewares.add(SameOriginCheck(dashboard: self, takesTokens: access.control != nil))
        if let pages {
            router.middlewares.add(PublicFiles(pages: pages))
        }
        router.middlewares.add(SignInCheck(dashboard: self))
        router.middlewares.add(ViewerLookup(dashboard: self))
        // From here on, a refusal may show the page's frame: the viewer is known.
        router.middlewares.add(ErrorPages(dashboard: self))
        router.middlewares.add(ErrorDocuments(dashboard: self))
        addRoutes(to: router)
        return router
    }

    private func responder(_ logger: Logger) -> some HTTPResponder<DashboardContext> {
        MountedResponder(mount: mount, publicURL: publicURL, responder: router(logger: logger).buildResponder())
    }

    private func addRoutes(to router: Router<DashboardContext>) {
        for route in Route.all {
            for (method, handler) in route.handlers {
                let answer = handler(self)
                let alone = route.alone.flatMap { $0.handlers[method] == nil ? $0.path : nil }
                for path in [route.path, alone].compactMap({ $0 }) {
                    router.on(RouterPath(path), method: method) { request, context in
                        try route.admit(context.visitor)
                        if let refusal = try queryRefusal(of: request, at: route, by: method) { return refusal }
                        try await checkBody(of: request, at: route, by: method)
                        return try await answer(request, context)
                    }
                }
            }
        }
    }

    /// Serves HTTP, or HTTPS with a scheme of ``Scheme/https``; port 0 picks a free one, which `onListening` receives.
    ///
    /// `identity` is `nil` for HTTP, or if a proxy encrypts. Throws if it can't be used.
    package func application(
        host: String, port: Int, identity: TLSIdentity? = nil, logger: Logger,
        limits: ConnectionLimits = ConnectionLimits(), onListening: @escaping @Sendable (Int) async -> Void
    ) throws -> some ApplicationProtocol {
        try application(at: .hostname(host, port: port), identity, logger, limits) { channel in
            await guardSocket(channel, limits, logger)
            let port = channel.localAddress?.port ?? port
            hosts.allow(host: host, port: port, scheme: scheme)
            await onListening(port)
        }
    }

    /// Serves the connections of a listening socket that another program, such as systemd, has opened at `host`.
    ///
    /// Throws if `identity` can't be used.
    package func application(
        passedSocket socket: CInt, host: String, identity: TLSIdentity? = nil, logger: Logger,
        limits: ConnectionLimits = ConnectionLimits(), onListening: @escaping @Sendable (Int) async -> Void
    ) throws -> some ApplicationProtocol {
        // The server insists on a socket of its own. No program can reach it: its folder is removed once it listens.
        let folder = Mutex<TemporaryFolder?>(try TemporaryFolder())
        let path = folder.withLock { $0?.url.appending(path: "socket").path(percentEncoded: false) } ?? ""
        return try application(at: .unixDomainSocket(path: path), identity, logger, limits) { channel in
            folder.withLock { $0 = nil }
            do {
                let passed = try await PassedListener.start(socket, for: channel, most: limits.accepted, logger)
                let port = passed.localAddress?.port ?? scheme.defaultPort
                hosts.allow(host: host, port: port, scheme: scheme)
                await onListening(port)
            } catch {
                guard channel.isActive, !(error is ServerIsStopping) else {
                    return logger.debug("The server was stopped as soon as it started")
                }
                logger.critical("The socket that was passed can't be used: \(error)")
                channel.close(promise: nil)
            }
        }
    }

    private func guardSocket(_ channel: any Channel, _ limits: ConnectionLimits, _ logger: Logger) async {
        do {
            try await AcceptGuard.install(on: channel, most: limits.accepted, logger)
            try await OrderlyClose.install(on: channel)
        } catch {
            logger.debug("The server was stopped as soon as it listened: \(error)")
        }
    }

    private func application(
        at address: BindAddress, _ identity: TLSIdentity?, _ logger: Logger, _ limits: ConnectionLimits,
        _ onServerRunning: @escaping @Sendable (any Channel) async -> Void
    ) throws -> some ApplicationProtocol {
        let server = HTTPServerBuilder.guarded(by: limits)
        return Application(
            responder: responder(logger),
            server: try identity.map { try .tls(server, tlsConfiguration: $0.configuration) } ?? server,
            // Room for many simultaneous connections: one that is turned away waits until its system tries again.
            configuration: ApplicationConfiguration(address: address, serverName: nil, backlog: 4096),
            onServerRunning: onServerRunning, logger: logger)
    }

    /// Serves the programs of one person at a socket, in a folder that no other user can enter.
    ///
    /// They need no token, and the origin of their changes is `cli`.
    package func application(
        socket: URL, for person: Person, logger: Logger, limits: ConnectionLimits = ConnectionLimits(),
        onListening: @escaping @Sendable () async -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: atSocket(of: person).router(logger: logger),
            server: .guarded(by: limits),
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: socket.path(percentEncoded: false)), serverName: nil),
            onServerRunning: { channel in
                await guardSocket(channel, limits, logger)
                await onListening()
            }, logger: logger)
    }
}
