import FlagChanges
import Hummingbird

extension Dashboard {
    func addSelectionRoute(to router: Router<DashboardContext>) {
        router.post(Routes.selection) { request, context in
            let form = try await SelectionForm(request)
            guard form.isOfAll else { return try show(.selection(form), context) }
            let view = view(of: try await service.overview(), context)
            return try show(.selection(try form.coveringList(in: view)), context)
        }
    }
}
