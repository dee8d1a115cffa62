import FeatureFlags
import FlagChanges
import FlagHistory

extension HistoryRecord {
    /// What a page says of a row that another program altered.
    static let alteration = "Altered after it was recorded: this is not what Flagboard wrote."

    /// Why the person can't revert a change, in sentences; `nil` where it may be tried.
    func revertProblem(in view: CatalogueView) -> String? {
        switch Reversal.problem(of: self) {
        case .changedNothing: return "There is nothing to revert: \(event.kind.meaning.lowercasedFirst)"
        case .isOfManifest:
            return
                "What the manifest says of groups and of itself can’t be reverted here: edit the manifest, which shows as "
                + "a change of its own."
        case .isOfHistory: return "What was done to the history itself stays: it tells of no flag."
        case .isAltered:
            return "\(Self.alteration) So it is not reverted: what was before it may never have been."
        case nil: break
        }
        if let block = view.status.block { return block }
        return Self.roleProblem(event, view) ?? Self.flagProblem(event, view)
    }

    private static func roleProblem(_ event: HistoryEvent, _ view: CatalogueView) -> String? {
        switch view.visitor?.person.role {
        case nil, .admin: return nil
        case .viewer: return "You may look, but not change: sign in with the token of an editor or an admin."
        case .editor:
            if event.kind == .lock || event.kind == .unlock { return "Only admins lock and unlock flags." }
            return event.provider == nil ? "Only admins change definitions." : nil
        }
    }

    private static func flagProblem(_ event: HistoryEvent, _ view: CatalogueView) -> String? {
        let entry = view.catalogue[event.key]
        let bringsBack = event.before != nil && (event.provider != nil || event.after == nil)
        guard entry != nil || bringsBack && event.kind != .lock && event.kind != .unlock else {
            return "There is no flag of this key path any more, so there is nothing to revert."
        }
        if event.provider == nil, event.after == nil, entry?.isDefined == true {
            return "The flag has been defined again since, so there is nothing to put back."
        }
        if event.provider != nil, entry?.definition.metadata.isLocked == true {
            return "The flag is locked, so nobody changes its value here. An admin can unlock it on its page."
        }
        return nil
    }
}
