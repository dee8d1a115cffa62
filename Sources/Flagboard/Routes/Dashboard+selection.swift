import Hummingbird

extension Dashboard {
    func addSelectionRoute(to router: Router<DashboardContext>) {
        router.post(Routes.selection) { request, context in
            try await preview(try await SelectionForm(request).proposal, context)
        }
    }
}
