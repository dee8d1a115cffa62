import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes

struct PastFlags: MatrixSource {
    static let previewTitle = "Restore"
    static let deed = BatchDeed.restore

    let view: CatalogueView
    private(set) var filter: PastFilter
    /// `nil` when none is shown.
    let past: PastState?
    /// `false` for the default, the moment before the last change.
    let isAskedFor: Bool
    private let history: HistoryStore
    private let hiddenKeys: HiddenKeys

    init(_ query: [String: String], in dashboard: Dashboard, _ context: DashboardContext) async throws {
        history = dashboard.service.history
        filter = PastFilter(query: query, now: dashboard.clock())
        let overview = try await dashboard.service.overview()
        hiddenKeys = overview.hiddenKeys
        isAskedFor = filter.instant != nil || !filter.problems.isEmpty
        if !isAskedFor, let last = try history.neighbours(ofMomentAfter: .max, hiddenKeys: hiddenKeys).previous {
            filter = filter.at(.before(row: last.id))
        }
        past = try await dashboard.past(filter)
        view = dashboard.view(of: overview, context)
    }

    private var surroundings: MomentSurroundings {
        get throws {
            let bins = MomentStrip.bins(now: view.now, in: PageZone.current)
            let shown = HistoryQuery(from: bins.start, hiddenKeys: hiddenKeys, limit: 1)
            return MomentSurroundings(
                summary: try history.pageWithSummary(shown).summary, begin: try history.begin(),
                neighbours: try history.neighbours(
                    ofMomentAfter: past?.moment.lastRow ?? .max, hiddenKeys: hiddenKeys),
                isAskedFor: isAskedFor)
        }
    }

    var href: String { filter.href }

    mutating func tellUnknown(in query: [String: String]) { filter.tellUnknown(in: query) }

    func page(_ frame: PageFrame, refused: RefusedChoice?) throws -> TimeMachinePage {
        TimeMachinePage(
            frame: frame, view: view, filter: filter, past: past, surroundings: try surroundings, refused: refused)
    }

    /// The field `restore` is `chosen` or `all`.
    func proposal(_ form: ChoiceForm) throws -> BatchProposal {
        let extent = form.fields["restore"]
        guard let past, past.moment.isKnown, isAskedFor, ["chosen", "all"].contains(extent) else {
            throw FormError<Never>(
                "Choose a time first, then restore. Nothing was restored.")
        }
        let scope = view.restoreScope
        guard !scope.providers.isEmpty else {
            let cause = view.refusalOfChanges ?? "No provider is writable."
            throw FormError<Never>("Can’t restore: \(cause)", .forbidden)
        }
        let found = past.flags(having: filter.text, in: view).filter(filter.extent.contains)
        let takesAll = extent == "all"
        let keys = Set(form.keys)
        let flags = takesAll ? found.filter(scope.contains) : past.flags.filter { keys.contains($0.key) }
        if flags.isEmpty {
            throw FormError<Never>("Select the flags to restore first.")
        }
        // A flag below a restored dictionary comes back as part of its value.
        let regained = Set(flags.filter { $0.hasLostDefinition && scope.contains($0) }.map(\.key))
        let wished = flags.filter { !$0.key.ancestors.contains(where: regained.contains) }.flatMap(scope.changes)
        // Resets come first, to free names for flags and groups.
        let changes = wished.filter { $0.action == .reset } + wished.filter { $0.action != .reset }
        if changes.isEmpty {
            throw FormError<Never>("Nothing to restore: these flags haven’t changed.")
        }
        guard changes.count <= BatchProposal.largest else {
            throw FormError<Never>(
                "Can’t restore \(changes.count) values at once; the limit is \(BatchProposal.largest). "
                    + "Narrow the search."
            )
        }
        // In UTC: the history keeps this text for readers in every time zone.
        let time = TimeText(past.time).utc
        return BatchProposal(
            title: "Restore flags from \(time)", changes: changes, origin: .revert, back: filter.href,
            notes: takesAll ? Self.notes(found, scope) : [], reason: "Restore from \(time)")
    }

    private static func notes(_ found: [PastFlag], _ scope: RestoreScope) -> [String] {
        let left = found.count { flag in
            (flag.values.contains(where: \.isDifferent) || flag.hasLostDefinition) && !scope.contains(flag)
        }
        guard left > 0 else { return [] }
        return [
            left == 1
                ? "1 flag can’t be restored (locked, read-only, admin-only or in another environment)."
                : "\(left) flags can’t be restored (locked, read-only, admin-only or in another environment)."
        ]
    }
}

struct RestoreScope: Hashable, Sendable {
    /// The providers that the viewer can change now.
    let providers: Set<String>
    /// The providers that reads here ask; the others are of other environments.
    let asked: Set<String>
    /// Allows to define deleted flags again.
    let definesFlags: Bool

    func changes(restoring flag: PastFlag) -> [Change] {
        contains(flag) ? flag.restoring(in: providers, defines: definesFlags) : []
    }

    /// `true` if the flag can be restored in at least one provider.
    func contains(_ flag: PastFlag) -> Bool {
        guard !providers.isEmpty, !flag.wasInternal, flag.now?.definition.metadata.isLocked != true else {
            return false
        }
        return flag.canBeRestored(in: providers, defines: definesFlags)
    }

    func note(on flag: PastFlag) -> String? {
        guard !providers.isEmpty, flag.isDifferent else { return nil }
        if contains(flag) {
            return flag.hasLostDefinition ? "Restoring brings the deleted flag back." : nil
        }
        guard flag.values.contains(where: \.isDifferent) || flag.hasLostDefinition else {
            return "Only its definition differs. Revert that in its history."
        }
        if flag.now?.definition.metadata.isLocked == true {
            return definesFlags ? "Locked. Unlock it first." : "Locked. An admin must unlock it first."
        }
        if flag.alteredRow != nil { return "Can’t be restored: its past value can’t be verified." }
        if flag.wasInternal { return "Can’t be restored here: it was internal." }
        if flag.hasLostDefinition {
            return "Deleted. Only admins can restore it."
        }
        guard flag.values.contains(where: { $0.isDifferent && asked.contains($0.provider) }) else {
            return
                "Only values of other environments differ. They aren’t restored here; revert them in the flag’s history."
        }
        return "Can’t be restored: only read-only values differ."
    }
}

extension PastFlag {
    /// A flag deleted as internal would be invisible again once restored.
    fileprivate var wasInternal: Bool { lostDefinition?.definition.metadata.isInternal == true }
}

extension CatalogueView {
    /// Excludes other environments.
    var restoreScope: RestoreScope {
        let asked = catalogue.providers.filter(\.isAsked).map(\.name)
        return RestoreScope(
            providers: Set(asked.filter { refusal(ofChangesIn: .provider($0)) == nil }), asked: Set(asked),
            definesFlags: visitor?.isAdmin == true)
    }
}
