import Hummingbird

extension Dashboard {
    func addHelpRoute(to router: Router<DashboardContext>) {
        router.get(Routes.help) { _, context in try respond(HelpPage(frame: try await frame(context))) }
    }
}
