import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird

/// The web dashboard over a change service: pages, forms and downloads.
public struct Dashboard: Sendable {
    let service: ChangeService
    let templates: TemplateLibrary
    let publicFolder: URL
    let actor: String
    let hosts: HostAllowList
    let clock: @Sendable () -> Date

    /// Assembles a dashboard.
    ///
    /// - Parameters:
    ///   - service: What reads and writes the flags.
    ///   - resources: The folder that holds `Templates/` and `Public/`.
    ///   - actor: The name that the history keeps for changes made in the dashboard.
    ///   - hosts: The hosts under which the dashboard answers.
    ///   - clock: The time.
    /// - Throws: Which template is wrong or missing.
    public init(
        service: ChangeService, resources: URL, actor: String, hosts: HostAllowList,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.service = service
        self.templates = try TemplateLibrary(directory: resources.appending(path: "Templates"))
        self.publicFolder = resources.appending(path: "Public")
        self.actor = actor
        self.hosts = hosts
        self.clock = clock
    }

    /// What every page shows around its content.
    func frame(_ overview: FlagOverview) -> PageFrame {
        let obstacles = overview.obstacles.map(\.description)
        return PageFrame(
            fileName: service.files.values.lastPathComponent, providers: overview.catalogue.providers,
            readOnlyReason: obstacles.isEmpty ? nil : obstacles.joined(separator: " "))
    }

    /// The frame as things are now.
    func frame() async throws -> PageFrame {
        frame(try await service.overview())
    }

    /// A page as a response.
    func respond(_ page: some PageModel, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try templates.render(page))))
    }
}
