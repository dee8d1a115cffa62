import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// Reported by a button on every page or by the app itself.
extension Dashboard {
    /// Changes made after the page was loaded keep waiting.
    func restarted(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        let row = fields["row"].flatMap { Int64($0) }
        try await service.recordRestart(after: row, by: try context.author(.form))
        let origin = Self.origin(of: request)
        return try await answer(toMade: context) {
            let pending = try await service.overview().pendingRestart
            let rest =
                pending.waits.isEmpty && !pending.lacksPruned
                ? "No changes are pending." : "Later changes are still pending."
            return redirect(to: notes.add("Marked as restarted. \(rest)", to: origin))
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

struct RestartDocument: JSONDocument {
    /// Flags changed since, which wait for another restart; `nil` if unknown.
    let waiting: Int?
}
