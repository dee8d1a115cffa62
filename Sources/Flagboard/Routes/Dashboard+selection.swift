import Hummingbird

extension Dashboard {
    func addSelectionRoute(to router: Router<DashboardContext>) {
        router.post(Routes.selection) { request, context in
            try show(.selection(try await SelectionForm(request)), context)
        }
    }
}
