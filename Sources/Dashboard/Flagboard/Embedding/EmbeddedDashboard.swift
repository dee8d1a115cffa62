import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The dashboard as part of a Hummingbird app, for the flags of the app's `FlagsManager`.
///
/// ```swift
/// let dashboard = try await EmbeddedDashboard(of: manager, at: "/flags", hosts: hosts)
/// dashboard.mount(on: router) { request, context in
///     Dashboard.Person(name: "ada", role: .editor)
/// }
/// let app = Application(router: router, services: [dashboard])
/// ```
///
/// The dashboard edits the files of the manager's writable `LocalProvider`s, and keeps a history beside the first. It
/// shows the other providers read-only. Definitions come from the code and are written to the manifest at the start;
/// the pages can lock a flag but not redefine it.
///
/// As a service of the app, it reads changes that other programs make to the files.
public struct EmbeddedDashboard: Service, CustomStringConvertible {
    /// The files that the dashboard edits.
    public let files: FlagFiles
    let dashboard: Dashboard
    let logger: Logger

    /// The options of an embedded dashboard.
    public struct Options: Sendable {
        /// Refuses every change.
        public var isReadOnly = false
        /// Shows internal flags, and allows changes of them.
        public var showsInternal = false
        /// The scheme that browsers use: `https` also behind a proxy that encrypts.
        public var scheme = Dashboard.Scheme.http
        /// The banner at the top of every page, to distinguish this dashboard from others.
        public var banner: EnvironmentBanner?
        /// The manifest; `nil` for the file beside the values, `flags.manifest.xml` of `flags.xml`.
        public var manifest: URL?
        /// The history; `nil` for the file beside the values, `flags.history.sqlite` of `flags.xml`.
        public var history: URL?
        /// The dashboard's metrics, by default for the app's swift-metrics backend.
        public var metrics = DashboardMetrics()
        /// A folder with `Templates/` and `Public/` that replaces the built-in pages, for editing them.
        public var resources: URL?

        /// Creates the default options.
        public init() {}
    }

    /// Writes the manifest, and opens the manager's files.
    ///
    /// - Parameters:
    ///   - manager: The flags, with all of their collections.
    ///   - path: The path of the dashboard in the app: `/flags`.
    ///   - hosts: The accepted hosts; requests for others are answered with 421.
    ///   - options: The options.
    ///   - logger: Receives messages for operators.
    /// - Throws: ``EmbeddingError``, `FlagManifestError` or `ChangeServiceStartError`, each with a remedy. The files
    ///   are then unchanged, except for an updated manifest.
    public init(
        of manager: FlagsManager, at path: String, hosts: HostAllowList, options: Options = Options(),
        logger: Logger = Logger(label: "flagboard")
    ) async throws {
        let mount = try MountPath(path)
        // First, so that a folder without pages leaves no file behind.
        let pages = try DashboardPages(of: options.resources, below: mount) { logger.warning("\($0)") }
        let flags = try ManagedFlags(manager, manifest: options.manifest, history: options.history)
        try flags.makeFiles()
        var treatment = ChangeService.Options(
            isReadOnly: options.isReadOnly, showsInternal: options.showsInternal, log: { logger.warning("\($0)") })
        treatment.definesInCode = true
        treatment.appProviders = { flags.appProviders }
        treatment.written = { flags.takeUpFiles { logger.warning("\($0)") } }
        options.metrics.observe(&treatment)
        let service = try ChangeService(files: flags.files, options: treatment)
        _ = try await service.overview()
        files = flags.files
        self.logger = logger
        dashboard = Dashboard(
            service: service, pages: pages, access: .app, hosts: hosts, scheme: options.scheme,
            banner: options.banner, below: mount, metrics: options.metrics, source: nil)
    }

    /// The name of the service in the log of a `ServiceGroup`.
    public var description: String { "Flagboard" }

    /// The service for the app's own changes, with a reason and an author.
    public var service: ChangeService { dashboard.service }

    /// Watches the files for changes by other programs until the app stops, then closes the history.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await dashboard.service.watch() }
        // The app's server is a service too, and has stopped by now.
        dashboard.service.history.close()
    }
}

/// A minimal request context: Hummingbird's own, and the connection.
public struct BasicEmbeddingContext: EmbeddingContext {
    /// Hummingbird's part of the context.
    public var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    public let channel: any Channel

    /// Creates the context of a request.
    ///
    /// - Parameter source: The server's data of the request.
    public init(source: Source) {
        (coreContext, channel) = (CoreRequestContextStorage(source: source), source.channel)
    }
}
