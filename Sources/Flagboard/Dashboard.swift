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
    let person: Person
    let hosts: HostAllowList
    let clock: @Sendable () -> Date
    let savedNotices = SavedNotices()

    /// Who uses the dashboard, as long as nobody signs in.
    public struct Person: Hashable, Sendable {
        let name: String
        let role: ChangeAuthor.Role

        /// Names somebody.
        ///
        /// - Parameters:
        ///   - name: The name that the history keeps for changes made in the dashboard.
        ///   - role: What the person may do.
        public init(name: String, role: ChangeAuthor.Role) {
            self.name = name
            self.role = role
        }
    }

    /// Assembles a dashboard.
    ///
    /// - Parameters:
    ///   - service: What reads and writes the flags.
    ///   - resources: The folder that holds `Templates/` and `Public/`.
    ///   - person: Who uses it.
    ///   - hosts: The hosts under which the dashboard answers.
    ///   - clock: The time.
    /// - Throws: Which template is wrong or missing.
    public init(
        service: ChangeService, resources: URL, person: Person, hosts: HostAllowList,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.service = service
        self.templates = try TemplateLibrary(directory: resources.appending(path: "Templates"))
        self.publicFolder = resources.appending(path: "Public")
        self.person = person
        self.hosts = hosts
        self.clock = clock
    }

    /// The flags of a moment, with what stands in the way of changing them.
    func view(of overview: FlagOverview) -> CatalogueView {
        CatalogueView(catalogue: overview.catalogue, standing: Standing(overview, service), now: clock())
    }

    /// What every page shows around its content.
    func frame(_ view: CatalogueView) -> PageFrame {
        PageFrame(
            fileName: service.files.values.lastPathComponent, providers: view.catalogue.providers,
            standing: view.standing)
    }

    /// The frame as things are now.
    func frame() async throws -> PageFrame {
        frame(view(of: try await service.overview()))
    }

    /// A page as a response.
    func respond(_ page: some PageModel, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try templates.render(page))))
    }
}
