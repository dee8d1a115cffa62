import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

/// Sets an overtaken value again, after a preview.
struct SetAgain: Hashable, PagePart {
    let action: String
    let label: String
    /// The button's accessible name.
    let meaning: String

    /// `nil` unless the value was overtaken and this viewer may set it.
    init?(_ record: HistoryRecord, in view: CatalogueView) {
        guard record.revertProblem(in: view) == nil, RevertForm.isOvertaken(record, in: view),
            let change = Change(again: record), !change.breaksFlag(in: view.catalogue)
        else { return nil }
        let name = view.name(of: record)
        action = PageLink.again(record.id)
        if let value = record.event.shownValues.after {
            label = "Set again"
            meaning = "Set \(name) to \(ShownValue(value, limit: 60).inSentence) again: change \(record.id)"
        } else {
            label = "Reset again"
            meaning = "Reset \(name) again: change \(record.id)"
        }
    }
}

extension Change {
    /// Repeats a change on the flag's current state; `nil` for a change of no value.
    init?(again record: HistoryRecord) {
        let event = record.event
        guard Reversal.problem(of: record) == nil, let provider = event.provider else { return nil }
        self.init(
            key: event.key, action: event.after.map(Action.putBack) ?? .reset, provider: provider,
            reason: "Set again as in change \(record.id)")
    }
}

extension CatalogueView {
    /// Returns the flag's name, or its key path if it is gone.
    func name(of record: HistoryRecord) -> String {
        catalogue[record.event.key]?.definition.shownName ?? record.event.key.shownText
    }
}

struct AgainPreview: PreviewRequest {
    let change: Int64

    var size: Int { 0 }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        let overview = try await dashboard.service.overview()
        let record = try dashboard.record(change, overview.hiddenKeys)
        guard let change = Change(again: record) else {
            throw RequestError(
                .conflict, title: "Can’t be set again", message: "Change \(record.id) didn’t set a value.",
                remedy: "Set the value on the flag’s page.")
        }
        let name = dashboard.view(of: overview, context).name(of: record)
        let title =
            record.event.shownValues.after.map { "Set \(name) to \(ShownValue($0, limit: 60).inSentence) again" }
            ?? "Reset \(name) again"
        return BatchProposal(
            title: title, changes: [change], origin: .form, back: PageLink.change(record.id), reason: change.reason)
    }
}

extension Dashboard {
    func setAgain(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let record = try record(context, try await service.overview())
        return try show(AgainPreview(change: record.id), context)
    }
}
