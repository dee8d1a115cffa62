import Hummingbird

extension Dashboard {
    func helpPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try respond(HelpPage(frame: try await frame(context)))
    }
}
