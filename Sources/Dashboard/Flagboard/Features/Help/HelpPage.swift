import FlagChanges
import Hummingbird

/// What the words mean, and which keys do what.
struct HelpPage: PageModel {
    static let template = "help"

    let frame: PageFrame

    /// Makes the page.
    init(frame: PageFrame) {
        self.frame = frame.titled("Help", in: .help)
    }
}

extension Dashboard {
    func helpPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try respond(HelpPage(frame: try await frame(context)))
    }

    /// What programs can ask.
    func apiPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let view = view(of: try await service.overview(), context)
        return try respond(
            APIPage(
                frame: frame(view), address: address(for: request),
                subjects: APISubjects(view.catalogue, lastRow: view.lastRow)))
    }
}
