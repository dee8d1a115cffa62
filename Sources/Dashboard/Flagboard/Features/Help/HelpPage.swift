import FlagChanges
import Hummingbird

struct HelpPage: PageModel {
    static let template = "help"

    let frame: PageFrame

    init(frame: PageFrame) {
        self.frame = frame.titled("Help", in: .help)
    }
}

extension Dashboard {
    func helpPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try respond(HelpPage(frame: try await frame(context)))
    }

    func apiPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let view = view(of: try await service.overview(), context)
        return try respond(
            APIPage(
                frame: frame(view), address: address(for: request),
                subjects: APISubjects(view.catalogue, lastRow: view.lastRow)))
    }
}
