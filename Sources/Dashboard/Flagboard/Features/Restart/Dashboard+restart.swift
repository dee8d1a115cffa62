import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// How the dashboard learns that the app was restarted: by a button on every page, or from the app itself.
extension Dashboard {
    /// Back to the page that the button was on; what was changed after that page was made goes on waiting.
    func restarted(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        let row = fields["row"].flatMap { Int64($0) }
        try await service.recordRestart(after: row, by: try context.author(.form))
        let origin = Self.origin(of: request)
        return try await answer(toMade: context) {
            let pending = try await service.overview().pendingRestart
            let rest =
                pending.waits.isEmpty && !pending.lacksPruned
                ? "Nothing waits for it any more." : "What was changed since goes on waiting, as said below."
            return redirect(to: notes.add("Noted: the app has restarted. \(rest)", to: origin))
        } orPlain: {
            redirect(to: origin)
        }
    }

    func appRestarted(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await service.recordRestart(by: try context.author(access.origin))
        return try await answer(toMade: context) {
            respond(json: RestartDocument(waiting: try await service.overview().pendingRestart.waits.count))
        } orPlain: {
            respond(json: RestartDocument(waiting: nil))
        }
    }
}

/// What is answered to an app that reports its restart.
struct RestartDocument: JSONDocument {
    /// How many flags wait for another one, those that were changed since; left out where that can't be told.
    let waiting: Int?
}
