import CoreMetrics
import DurableFiles
import FlagApps
import FlagChanges
import FlagHistory
import FlagPublishing
import FlagReferences
import FlagWebhooks
import Flagboard
import Foundation
import Logging
import NIOCore
import PrometheusMetrics
import ServiceLifecycle
import UnixSignals

/// Opens the files, and serves the dashboard until it is stopped.
struct DashboardProcess {
    let settings: ServeSettings

    /// Serves the dashboard.
    ///
    /// - Throws: ``PlainError`` if the files can't be served or the port can't be bound.
    func run() async throws {
        // First of all: without a descriptor, libraries end the process in the middle of something.
        let budget = try DescriptorBudget(
            limit: DescriptorLimit.raise(), streams: settings.maximumStreams,
            providers: settings.files.providers.count)
        do {
            if let socket = settings.passedSocket {
                socket.keep()
            } else {
                try await PortCheck.run(host: settings.host, port: settings.port)
            }
            try await serve(budget)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw PlainError(
                "Port \(settings.port) on \(settings.host) is already in use by another program.\nStop that program, "
                    + "or choose another port. --port 0 picks a free one.")
        } catch let error as IOError {
            throw PlainError(
                "Can't listen on \(settings.host), port \(settings.port): \(String(cString: strerror(error.errnoCode))).\n"
                    + "Choose another port with --port.")
        }
    }

    private func serve(_ budget: DescriptorBudget) async throws {
        let logger = settings.log.logger
        if let caution = budget.caution { logger.warning("\(caution)") }
        SharedArena.choose(logger)
        do {
            try settings.files.checkDistinct()
        } catch {
            throw PlainError(error.description)
        }
        if let folder = settings.resources {
            logger.warning(
                "Serving pages from \(folder.path(percentEncoded: false)) instead of the built-in ones")
        }
        let mount = settings.access.mount
        let pages: DashboardPages
        do throws(TemplateError) {
            pages = try DashboardPages(of: settings.resources, below: mount) { logger.error("\($0)") }
        } catch {
            throw PlainError(error.description)
        }
        let identity = try tlsIdentity()
        let link = SignInLink(printsJSON: settings.printsJSON)
        let launch = makeLaunchToken(link, logger)
        let access = try accessPolicy(launch, logger)
        let followers = try await startFollowers(logger)
        try settings.newFile?.make(for: settings.files)
        let metrics = makeMetrics()
        let apps = ConnectedApps(beside: settings.files) { logger.info("\($0)") }
        let service = try await openService(metrics, followers.map(\.source), apps, logger)
        for caution in (settings.publishing?.cautions ?? []) + settings.access.cautions { logger.warning("\(caution)") }
        let publisher = settings.publishing.map { publishing in
            HistoryPublisher(of: service, to: publishing.address, access: publishing.access) { logger.warning("\($0)") }
        }
        let webhooks = webhookSender(of: service, metrics, logger)
        let dashboard = Dashboard(
            service: service, pages: pages, access: access,
            hosts: HostAllowList(names: settings.access.allowedHosts), scheme: settings.access.scheme,
            banner: settings.banner, below: mount, metrics: metrics, source: settings.source,
            followers: { publisher.map { [$0.status] } ?? [] }, streams: settings.maximumStreams ?? budget.fewerStreams,
            streamsOfOne: settings.maximumStreams,
            webhooks: webhooks, publicURL: settings.access.publicURL, proxies: settings.access.proxies,
            otherOrigins: settings.access.otherOrigins)
        let socket = OwnSocket(
            service, dashboard, as: .owner, limits: ConnectionLimits(connections: budget.commandConnections), logger)
        let limits = ConnectionLimits(connections: budget.connections)
        let application = try application(of: dashboard, identity, limits, logger) { port in
            let address = address(port)
            let answersSocket = await socket?.isListening() ?? false
            let visited = settings.access.publicURL?.description ?? address
            await announce(
                address, visited: visited, answersSocket: answersSocket,
                launch.map { link.first($0.issue(), at: visited) }, service, logger)
        }
        let server = socket?.beside(application, logger) ?? application
        let sourceWatch = dashboard.source.map { SourceWatch(index: $0, service: service, logger: logger) }
        let background =
            followers.map { source, follower in
                BackgroundService("provider \(source.provider)") {
                    await follower.run { await service.lookSoon() }
                }
            }
            + [
                .revokedTokens(in: settings.access.tokensFile, of: dashboard),
                sourceWatch.map { watch in BackgroundService("references in source code") { await watch.run() } },
                publisher.map { publisher in BackgroundService("publishing") { await publisher.run() } },
                webhooks.map { webhooks in BackgroundService("webhooks") { await webhooks.run() } },
                .apps(apps, of: service),
            ].compactMap(\.self)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: ([BackgroundService.outsideEdits(of: service), server, StopNote(logger: logger)] + background
                    as [any Service])
                    .map { .init(service: $0) },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        defer { service.history.close() }
        defer { Browser.forget() }
        try await group.run()
        logger.info("Flagboard has stopped")
    }

    private func application(
        of dashboard: Dashboard, _ identity: TLSIdentity?, _ limits: ConnectionLimits, _ logger: Logger,
        _ onListening: @escaping @Sendable (Int) async -> Void
    ) throws -> any Service {
        guard let socket = settings.passedSocket else {
            return try dashboard.application(
                host: settings.host, port: settings.port, identity: identity, logger: logger, limits: limits,
                onListening: onListening)
        }
        return try dashboard.application(
            passedSocket: socket.descriptor, host: settings.host, identity: identity, logger: logger,
            limits: limits, onListening: onListening)
    }

    /// Makes the metrics of this process and its libraries.
    ///
    /// Everyone on a loopback server may read them, unless a host name is allowed: a proxy may have it, with others
    /// behind.
    private func makeMetrics() -> DashboardMetrics {
        let registry = PrometheusRegistry.ofDashboard()
        MetricsSystem.bootstrap(registry)
        return DashboardMetrics(
            registry: registry, isForEverybody: settings.access.isLoopback && settings.access.allowedHosts.isEmpty,
            version: FlagboardVersion.current)
    }

    /// Gets the flags of the providers that aren't files, before the files are opened.
    private func startFollowers(_ logger: Logger) async throws -> [(source: FollowedSource, follower: any FlagFollower)]
    {
        var followers: [(source: FollowedSource, follower: any FlagFollower)] = []
        for provider in settings.followed {
            for caution in provider.settings.cautions { logger.warning("\(caution)") }
            do {
                let follower = try provider.settings.follower { logger.warning("\($0)") }
                try await follower.start()
                let source = FollowedSource(provider: provider.name, definingServer: provider.definingServer) {
                    follower.status
                }
                followers.append((source, follower))
            } catch {
                throw PlainError("\(error)")
            }
        }
        return followers
    }

    private func tlsIdentity() throws -> TLSIdentity? {
        guard let (certificate, key) = settings.access.tls else { return nil }
        do throws(PlainError) {
            return try TLSIdentity(certificate: certificate, key: key)
        } catch {
            throw PlainError(error.description)
        }
    }

    /// Makes the token of the sign-in link, for the person who started the server.
    ///
    /// Only on this machine: the link names no person, and over a network it is kept and passed on.
    private func makeLaunchToken(_ link: SignInLink, _ logger: Logger) -> LaunchToken? {
        guard settings.access.access == .token, settings.access.isLoopback else { return nil }
        return LaunchToken(for: Self.owner) { token in
            do {
                try link.announce(token)
            } catch {
                logger.warning("Can't print the new sign-in link: \(error)")
            }
        }
    }

    private static var owner: Dashboard.Person { .owner }

    private func accessPolicy(_ launch: LaunchToken?, _ logger: Logger) throws -> AccessPolicy {
        guard settings.access.access == .token else {
            return .open(
                as: Self.owner,
                tokens: AccessControl(tokensFile: settings.access.tokensFile, log: { logger.warning("\($0)") }))
        }
        let tokensFile = settings.access.tokensFile
        do throws(KeptFileError) {
            _ = try tokensFile.tokens()
        } catch {
            throw PlainError(error.description)
        }
        if !settings.access.isLoopback, settings.access.tls == nil {
            logger.warning(
                """
                Connections are not encrypted: anyone on the network between \
                \(settings.access.isBehindTLS ? "the proxy" : "a browser") and \(settings.host) can read \
                tokens and flags. Use --tls-certificate and --tls-key.
                """)
        }
        return .signIn(AccessControl(tokensFile: tokensFile, launch: launch, log: { logger.warning("\($0)") }))
    }

    /// Opens the files, and evaluates the flags so that the first page doesn't wait.
    private func openService(
        _ metrics: DashboardMetrics, _ sources: [FollowedSource], _ apps: ConnectedApps, _ logger: Logger
    ) async throws -> ChangeService {
        if settings.isReadOnlyByVolume {
            logger.warning(
                """
                \(settings.files.values.path(percentEncoded: false)) is on a volume that is mounted read-only, so every \
                change is refused. Mount it writable, then restart Flagboard to make changes
                """)
        }
        var options = ChangeService.Options(
            isReadOnly: settings.isReadOnly, showsInternal: settings.showsInternal,
            log: { logger.warning("\($0)") })
        options.isReadOnlyByVolume = settings.isReadOnlyByVolume
        options.rules = settings.rules
        options.sources = sources
        // A command that asks this server waits as long; the reason must reach it before.
        options.patience = settings.patience * 0.7
        options.appProviders = { apps.providers }
        metrics.observe(&options)
        let history = settings.files.history
        if AtomicFile.isOnReadOnlyVolume(history.deletingLastPathComponent()) {
            throw PlainError(
                """
                Can't serve \(settings.files.values.path(percentEncoded: false)): the history \
                \(history.path(percentEncoded: false)) is on a volume that is mounted read-only.
                Choose a history in a writable folder: --history /var/lib/flagboard/\(history.lastPathComponent)
                """)
        }
        do {
            let service = try ChangeService(files: settings.files, options: options)
            _ = try await service.overview()
            return service
        } catch {
            throw PlainError("\(error)\(NewValuesFile.advice(for: settings.files))")
        }
    }

    /// Makes the sender of webhooks; `nil` if this process writes nothing, not even delivery progress.
    private func webhookSender(
        of service: ChangeService, _ metrics: DashboardMetrics, _ logger: Logger
    ) -> WebhookSender? {
        guard !settings.isReadOnly else { return nil }
        var options = WebhookSender.Options()
        options.log = { logger.warning("\($0)") }
        options.counted = { metrics.count($0) }
        options.allowsPrivateOnPage = settings.allowsPrivateWebhooks
        return WebhookSender(telling: service, options: options)
    }

    /// Returns the address of the first page, by name if other machines reach the server.
    private func address(_ port: Int) -> String {
        origin(port) + settings.access.mount.address(of: "/")
    }

    private func origin(_ port: Int) -> String {
        let scheme = settings.access.scheme.rawValue
        let literal = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        guard !settings.access.isLoopback, let name = settings.access.allowedHosts.first else {
            return "\(scheme)://\(literal):\(port)"
        }
        if name.contains("://") { return name }
        return "\(scheme)://\(name.wholeMatch(of: /.*:[0-9]+/) == nil ? "\(name):\(port)" : name)"
    }

    private func announce(
        _ address: String, visited: String, answersSocket: Bool, _ link: String?, _ service: ChangeService,
        _ logger: Logger
    ) async {
        do {
            try await service.announce(address, answersSocket: answersSocket)
        } catch {
            logger.warning("\(error.description)")
        }
        let signIn = link.map { settings.printsJSON ? ",\"signIn\":\"\($0)\"" : "\n\(SignInLink.line($0))" } ?? ""
        let line =
            settings.printsJSON
            ? "{\"listening\":\"\(address)\",\"process\":\(ProcessInfo.processInfo.processIdentifier)\(signIn)}"
            : "Flagboard is listening on \(address)\(signIn)"
        do {
            try CommandOutput.print(line)
        } catch {
            logger.warning("Can't print the address \(address): \(error)")
        }
        if settings.opensBrowser { Browser.open(visited, link, logger) }
    }
}
