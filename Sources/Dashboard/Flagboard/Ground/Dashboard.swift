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
    /// `nil` for a dashboard that answers programs alone, as a command on its own does.
    let pages: DashboardPages?
    private(set) var access: AccessPolicy
    private(set) var hosts: HostAllowList
    private(set) var scheme: Scheme
    let clock: @Sendable () -> Date
    let banner: EnvironmentBanner?
    /// The path below which an app serves it.
    let mount: MountPath
    /// The source code in which the flags are looked for.
    package let source: SourceIndex?
    /// What tells webhooks of changes; `nil` where that is another process's.
    let webhooks: WebhookSender?
    /// The files where they were when the dashboard began, by which browsers know it whatever links do since.
    let firstFiles: FlagFiles
    let notes = FlashMessages()
    /// What features keep between requests.
    let states = FeatureStates()
    /// How many streams of events there may be, and how many of one person; `nil` for what is enough for people's windows.
    let mostStreams: (all: Int?, ofOne: Int?)
    let metrics: DashboardMetrics
    /// How fresh the flags are, where they are another server's.
    let replica: @Sendable () -> ReplicaStatus?
    /// What passes the rows of the history on, as it is now.
    let followers: @Sendable () -> [FollowerStatus]

    /// Assembles a dashboard.
    ///
    /// - Parameters:
    ///   - service: What reads and writes the flags.
    ///   - resources: A folder with `Templates/` and `Public/` to serve instead of the pages inside the program, while editing them.
    ///   - access: Whom it lets in.
    ///   - hosts: The hosts under which the dashboard answers.
    ///   - scheme: How browsers reach it.
    ///   - banner: What is at the top of every page, to tell this dashboard from others.
    ///   - metrics: What counts its work; unless told otherwise, for the app's own backend.
    ///   - clock: The time.
    /// - Throws: Which template is wrong or missing, or which public file can't be read.
    public init(
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

    /// Assembles a dashboard that an app serves below a path, or one that shows where source code uses the flags.
    ///
    /// - Parameters:
    ///   - pages: The pages; `nil` for a dashboard that answers programs alone.
    ///   - replica: How fresh the flags are, where they are another server's.
    ///   - streams: How many streams of events there may be; `nil` for what is enough for people's windows.
    ///   - streamsOfOne: How many of them one person may have; `nil` for as many windows as anybody looks at.
    package init(
        service: ChangeService, pages: DashboardPages?, access: AccessPolicy, hosts: HostAllowList,
        scheme: Scheme = .http,
        banner: EnvironmentBanner? = nil, below mount: MountPath = .root,
        metrics: DashboardMetrics = DashboardMetrics(),
        source: SourceIndex?, followers: @escaping @Sendable () -> [FollowerStatus] = { [] },
        replica: @escaping @Sendable () -> ReplicaStatus? = { nil }, streams: Int? = nil, streamsOfOne: Int? = nil,
        webhooks: WebhookSender? = nil, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.service = service
        self.pages = pages
        self.access = access
        self.hosts = hosts
        self.scheme = scheme
        self.banner = banner
        self.metrics = metrics
        self.mount = mount
        firstFiles = service.files
        mostStreams = (streams, streamsOfOne)
        self.source = source
        self.followers = followers
        self.replica = replica
        self.webhooks = webhooks
        self.clock = clock
    }

    /// The same dashboard where only one person reaches it: at a socket in a folder of that person.
    func atSocket(of person: Person) -> Dashboard {
        var dashboard = self
        (dashboard.access, dashboard.scheme) = (access.atSocket(of: person), .http)
        dashboard.hosts = HostAllowList()
        dashboard.hosts.allow(host: "localhost", port: dashboard.scheme.defaultPort)
        return dashboard
    }

    /// The same dashboard for other people.
    func letting(in access: AccessPolicy) -> Dashboard {
        var dashboard = self
        dashboard.access = access
        return dashboard
    }

    /// A person or a program that uses a dashboard.
    public typealias Person = DashboardPerson
}
