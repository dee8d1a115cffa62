import FeatureFlags
import FlagChanges
import FlagHistory

struct Selection: Hashable, PreviewRequest {
    let keys: [FlagKeyPath]
    let action: SelectionAction
    /// For ``SelectionAction/set``.
    let value: String
    let tags: [String]
    let provider: String?
    let back: String

    /// One change for each flag and tag; only Booleans are turned on or off.
    func proposal(in view: CatalogueView) -> BatchProposal {
        let others =
            action.isForBooleans ? keys.compactMap { view.catalogue[$0] }.filter { $0.definition.type != .bool } : []
        let skipped = Set(others.map(\.key))
        let count = others.count < keys.count ? keys.count - others.count : keys.count
        let deeds: [Change.Action] =
            switch action {
            // JSON, so that a text flag doesn't become "true".
            case .on: [.setJSON(JSONInput(.bool(true)))]
            case .off: [.setJSON(JSONInput(.bool(false)))]
            case .set: [.setText(value)]
            case .reset: [.reset]
            case .lock: [.lock]
            case .unlock: [.unlock]
            case .tag: tags.map { .tag($0, isSet: true) }
            case .untag: tags.map { .tag($0, isSet: false) }
            }
        return BatchProposal(
            title: title(for: count == 1 ? "1 flag" : "\(count) flags"),
            changes: deeds.flatMap { deed in
                keys.filter { !skipped.contains($0) }.map {
                    Change(key: $0, action: deed, provider: action.isForAdmins ? nil : provider)
                }
            },
            origin: .form, back: back, notes: others.isEmpty ? [] : [Self.note(skipping: others)])
    }

    private static let mostNamed = 5

    private static func note(skipping entries: [FlagEntry]) -> String {
        let names = entries.prefix(mostNamed).map(\.definition.shownName).joined(separator: ", ")
        let rest = entries.count > mostNamed ? " and \(entries.count - mostNamed) more" : ""
        return "Only Booleans can be turned on or off. Skipped: \(names)\(rest)."
    }

    private func title(for flags: String) -> String {
        let tags = "tag\(tags.count == 1 ? "" : "s") \(tags.joined(separator: ", "))"
        return switch action {
        case .set: "Set value of \(flags)"
        case .tag: "Add \(tags) to \(flags)"
        case .untag: "Remove \(tags) from \(flags)"
        case .on, .off, .reset, .lock, .unlock: "\(action.label) \(flags)"
        }
    }
}

extension Selection {
    var size: Int { keys.reduce(value.utf8.count) { $0 + $1.text.utf8.count } }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        proposal(in: dashboard.view(of: try await dashboard.service.overview(), context))
    }
}
