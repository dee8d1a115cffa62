import FeatureFlags
import FlagChanges
import FlagHistory
import FlagReferences
import FlagWebhooks
import Foundation
import Hummingbird
import Logging

/// The web dashboard over a change service: pages, forms and downloads.
public struct Dashboard: Sendable {
    let service: ChangeService
    /// `nil` to serve only programs.
    let pages: DashboardPages?
    private(set) var access: AccessPolicy
    private(set) var hosts: HostAllowList
    private(set) var scheme: Scheme
    let clock: @Sendable () -> Date
    let banner: EnvironmentBanner?
    private(set) var mount: MountPath
    /// The address that others reach, if it was given.
    let publicURL: PublicURL?
    let proxies: TrustedProxies
    /// The origins whose scripts may read flags.
    let otherOrigins: Set<String>
    package let source: SourceIndex?
    /// The sender of webhooks; `nil` when another process sends them.
    let webhooks: WebhookSender?
    /// The files as first opened, so that cookie names survive changed symbolic links.
    let firstFiles: FlagFiles
    let notes = FlashMessages()
    let states = FeatureStates()
    /// Limits of event streams, in all and per person; `nil` for the defaults.
    let mostStreams: (all: Int?, ofOne: Int?)
    let metrics: DashboardMetrics
    let followers: @Sendable () -> [FollowerStatus]

    /// Assembles a dashboard.
    ///
    /// - Parameters:
    ///   - service: Reads and writes the flags.
    ///   - resources: A folder with `Templates/` and `Public/` to edit, instead of the embedded pages.
    ///   - access: The people it lets in.
    ///   - hosts: The hosts under which it answers.
    ///   - scheme: The scheme of its addresses.
    ///   - banner: A label at the top of every page.
    ///   - metrics: Counts its work; by default for the app's own backend.
    ///   - clock: The current time.
    /// - Throws: ``TemplateError`` for a faulty template or an unreadable file.
    package init(
        service: ChangeService, resources: URL? = nil, access: AccessPolicy, hosts: HostAllowList,
        scheme: Scheme = .http,
        banner: EnvironmentBanner? = nil, metrics: DashboardMetrics = DashboardMetrics(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.init(
            service: service, pages: try DashboardPages(of: resources, log: service.log), access: access,
            hosts: hosts, scheme: scheme, banner: banner,
            below: .root, metrics: metrics, source: nil, clock: clock)
    }

    /// Assembles a dashboard below an app's path, or one that shows the uses of flags in source code.
    ///
    /// - Parameters:
    ///   - pages: `nil` to serve only programs.
    ///   - streams: Limit of event streams; `nil` for the default.
    ///   - streamsOfOne: Limit per person; `nil` for the default.
    ///   - proxies: Proxies to believe about the clients that they forward for.
    ///   - otherOrigins: Origins whose scripts may read flags, such as `https://app.example.com`.
    package init(
        service: ChangeService, pages: DashboardPages?, access: AccessPolicy, hosts: HostAllowList,
        scheme: Scheme = .http,
        banner: EnvironmentBanner? = nil, below mount: MountPath = .root,
        metrics: DashboardMetrics = DashboardMetrics(),
        source: SourceIndex?, followers: @escaping @Sendable () -> [FollowerStatus] = { [] },
        streams: Int? = nil, streamsOfOne: Int? = nil, webhooks: WebhookSender? = nil, publicURL: PublicURL? = nil,
        proxies: TrustedProxies = .none, otherOrigins: Set<String> = [],
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.service = service
        self.pages = pages
        self.access = access
        self.hosts = hosts
        self.scheme = scheme
        self.banner = banner
        self.metrics = metrics
        self.mount = mount
        self.publicURL = publicURL
        self.proxies = proxies
        self.otherOrigins = otherOrigins
        firstFiles = service.files
        mostStreams = (streams, streamsOfOne)
        self.source = source
        self.followers = followers
        self.webhooks = webhooks
        self.clock = clock
    }

    /// Returns the dashboard for a socket that only its owner reaches.
    func atSocket(of person: Person) -> Dashboard {
        var dashboard = self
        (dashboard.access, dashboard.scheme, dashboard.mount) = (access.atSocket(of: person), .http, .root)
        dashboard.hosts = HostAllowList()
        dashboard.hosts.allow(host: "localhost", port: dashboard.scheme.defaultPort)
        return dashboard
    }

    func letting(in access: AccessPolicy) -> Dashboard {
        var dashboard = self
        dashboard.access = access
        return dashboard
    }

    /// A person or a program that uses a dashboard.
    public typealias Person = DashboardPerson
}
