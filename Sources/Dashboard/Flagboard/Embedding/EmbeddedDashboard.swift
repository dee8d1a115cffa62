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

/// The dashboard as a part of a Hummingbird app, on the flags of the app's own `FlagsManager`.
///
/// ```swift
/// let dashboard = try await EmbeddedDashboard(of: manager, at: "/flags", hosts: hosts)
/// dashboard.mount(on: router) { request, context in
///     Dashboard.Person(name: "ada", role: .editor)
/// }
/// let app = Application(router: router, services: [dashboard])
/// ```
///
/// The writable `LocalProvider`s of the manager are the files that the dashboard changes, with a history beside the first. The other
/// providers are shown as what they are, and the app's code alone changes them. So is what flags are: their definitions are the
/// code's, written to the manifest at the start, and can't be changed from the page; locks can.
///
/// As a service of the app it takes up what other programs write between two requests.
public struct EmbeddedDashboard: Service, CustomStringConvertible {
    /// The files that the dashboard works on.
    public let files: FlagFiles
    let dashboard: Dashboard
    let logger: Logger

    /// How the dashboard treats the flags, and what it shows around them.
    public struct Options: Sendable {
        /// Refuses every change.
        public var isReadOnly = false
        /// Lets internal flags be seen and changed.
        public var showsInternal = false
        /// How browsers reach the app: `https` also where something before the app encrypts.
        public var scheme = Dashboard.Scheme.http
        /// What is at the top of every page, to tell this dashboard from others.
        public var banner: EnvironmentBanner?
        /// The definitions that the code says; `nil` for the file beside the values, `flags.manifest.xml` of `flags.xml`.
        public var manifest: URL?
        /// The history; `nil` for the file beside the values, `flags.history.sqlite` of `flags.xml`.
        public var history: URL?
        /// What counts the dashboard's work; unless told otherwise, for the backend that the app has given to swift-metrics.
        public var metrics = DashboardMetrics()
        /// A folder with `Templates/` and `Public/` to serve instead of the pages inside the program, while editing them.
        public var resources: URL?

        /// Makes options, which can be changed then.
        public init() {}
    }

    /// Writes the manifest, and opens the files of a manager.
    ///
    /// - Parameters:
    ///   - manager: The flags, with all of their collections.
    ///   - path: Where the app serves the dashboard: `/flags`.
    ///   - hosts: The hosts that browsers ask for; any other is answered 421.
    ///   - options: How to treat the flags.
    ///   - logger: Takes what an operator should know.
    /// - Throws: ``EmbeddingError``, `FlagManifestError` or `ChangeServiceStartError`, each with what to do; the files are as they
    ///   were then, but for a manifest that is up to date.
    public init(
        of manager: FlagsManager, at path: String, hosts: HostAllowList, options: Options = Options(),
        logger: Logger = Logger(label: "flagboard")
    ) async throws {
        let mount = try MountPath(path)
        // Before any file is made: a folder without pages is refused first.
        let pages = try DashboardPages(of: options.resources, below: mount) { logger.warning("\($0)") }
        let flags = try ManagedFlags(manager, manifest: options.manifest, history: options.history)
        try flags.makeFiles()
        var treatment = ChangeService.Options(
            isReadOnly: options.isReadOnly, showsInternal: options.showsInternal, log: { logger.warning("\($0)") })
        treatment.definesInCode = true
        treatment.appProviders = { flags.appProviders }
        treatment.unreadFlags = flags.unreadFlags
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

    /// What reads and writes the flags, for the app's own changes with a reason and an author.
    public var service: ChangeService { dashboard.service }

    /// Takes up what other programs write to the files, until the app stops, and closes the history then.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await dashboard.service.watch() }
        // The app's server, a service too, has ended by then.
        dashboard.service.history.close()
    }
}

/// A request context with the connection and nothing else beyond Hummingbird's own, for an app that needs no more.
public struct BasicEmbeddingContext: EmbeddingContext {
    /// What Hummingbird keeps of a request.
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    public let channel: any Channel

    /// Takes up a request.
    ///
    /// - Parameter source: What the server knows of it.
    public init(source: Source) {
        (coreContext, channel) = (CoreRequestContextStorage(source: source), source.channel)
    }
}
