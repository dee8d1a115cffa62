import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes

/// The flags at a moment beside those of now, to restore some of them.
struct PastFlags: MatrixSource {
    static let previewTitle = "Restore"

    let view: CatalogueView
    private(set) var filter: PastFilter
    /// The flags at the moment; `nil` when none is shown.
    let past: PastState?
    /// `false` when the moment is the default: the one before the last change.
    let isAskedFor: Bool
    private let history: HistoryStore
    private let hiddenKeys: HiddenKeys

    /// The default moment is the one before the last change.
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

    /// Reads `restore`: `chosen` or `all`.
    func proposal(_ form: ChoiceForm) throws -> BatchProposal {
        let extent = form.fields["restore"]
        guard let past, past.moment.isKnown, isAskedFor, ["chosen", "all"].contains(extent) else {
            throw FormError<Never>(
                "Choose a time of which the flags are known, then restore by the buttons: nothing was restored.")
        }
        let scope = view.restoreScope
        guard !scope.providers.isEmpty else {
            let cause = view.refusalOfChanges ?? "No provider can be written now."
            throw FormError<Never>("Nothing can be restored: \(cause)", .forbidden)
        }
        let found = past.flags(having: filter.text, in: view).filter(filter.extent.contains)
        let takesAll = extent == "all"
        let keys = Set(form.keys)
        let flags = takesAll ? found.filter(scope.contains) : past.flags.filter { keys.contains($0.key) }
        if flags.isEmpty {
            throw FormError<Never>("No flag was chosen: tick those to restore, then press the button again.")
        }
        // A flag below a restored dictionary is part of its value, and comes back with it.
        let regained = Set(flags.filter { $0.hasLostDefinition && scope.contains($0) }.map(\.key))
        let wished = flags.filter { !$0.key.ancestors.contains(where: regained.contains) }.flatMap(scope.changes)
        // Resets come first, to free names for flags and groups.
        let changes = wished.filter { $0.action == .reset } + wished.filter { $0.action != .reset }
        if changes.isEmpty {
            throw FormError<Never>("There is nothing to restore: these flags are now what they were then.")
        }
        guard changes.count <= BatchProposal.largest else {
            throw FormError<Never>(
                "These are \(changes.count) values; at most \(BatchProposal.largest) can be restored at once. Search for "
                    + "fewer.")
        }
        // The history keeps this text for readers in every time zone, so it is in UTC.
        let time = TimeText(past.time).utc
        return BatchProposal(
            title: "Restore the flags of \(time)", changes: changes, origin: .revert, back: filter.href,
            notes: takesAll ? Self.notes(found, scope) : [], reason: "As of \(time)")
    }

    private static func notes(_ found: [PastFlag], _ scope: RestoreScope) -> [String] {
        let left = found.count { flag in
            (flag.values.contains(where: \.isDifferent) || flag.hasLostDefinition) && !scope.contains(flag)
        }
        guard left > 0 else { return [] }
        return [
            left == 1
                ? "1 flag is locked, read-only, or for an admin to define again, and left out."
                : "\(left) flags are locked, read-only, or for an admin to define again, and left out."
        ]
    }
}

/// The part of the past that the viewer may restore.
struct RestoreScope: Hashable, Sendable {
    /// The providers that the viewer can change now.
    let providers: Set<String>
    /// `true` when the viewer may define deleted flags again.
    let definesFlags: Bool

    func changes(restoring flag: PastFlag) -> [Change] {
        contains(flag) ? flag.restoring(in: providers, defines: definesFlags) : []
    }

    /// Returns whether a flag can be restored in at least one provider.
    func contains(_ flag: PastFlag) -> Bool {
        guard !providers.isEmpty, !flag.wasInternal, flag.now?.definition.metadata.isLocked != true else {
            return false
        }
        return flag.canBeRestored(in: providers, defines: definesFlags)
    }

    func note(on flag: PastFlag) -> String? {
        guard !providers.isEmpty, flag.isDifferent else { return nil }
        if contains(flag) {
            return flag.hasLostDefinition ? "Restoring defines the flag again, as it was then." : nil
        }
        guard flag.values.contains(where: \.isDifferent) || flag.hasLostDefinition else {
            return "Only its definition differs, and what is defined now stays: its history can revert that."
        }
        if flag.now?.definition.metadata.isLocked == true {
            return "Locked: can’t be restored until it is unlocked."
        }
        if flag.alteredRow != nil { return "Can’t be restored: what it was is not proven." }
        if flag.wasInternal { return "Can’t be restored here: it was internal then." }
        if flag.hasLostDefinition {
            return "Can’t be restored by you: its definition is gone, and only admins define flags."
        }
        return "Can’t be restored: only what can’t be written differs."
    }
}

extension PastFlag {
    /// `true` for a flag deleted as internal: once restored, it would be invisible again.
    fileprivate var wasInternal: Bool { lostDefinition?.definition.metadata.isInternal == true }
}

extension CatalogueView {
    /// The viewer's scope, which excludes other environments.
    var restoreScope: RestoreScope {
        RestoreScope(
            providers: Set(
                catalogue.providers.filter(\.isAsked).map(\.name).filter { refusal(ofChangesIn: .provider($0)) == nil }),
            definesFlags: visitor?.isAdmin == true)
    }
}
