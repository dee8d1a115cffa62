import FeatureFlags
import FlagChanges
import FlagHistory

extension TerminalRequests {
    /// `provider` is `nil` if nothing can be changed.
    func lines(of entry: FlagEntry, changing provider: String?, mayLock: Bool) -> TerminalLines? {
        var groups = [reading(entry.key)]
        if let provider {
            let answer = entry.resolution[provider] ?? .absent
            let held: FlagValue? = if case .value(let value, _) = answer { value } else { nil }
            if let value = held ?? entry.resolution.effectiveValue ?? entry.definition.defaultValue {
                groups.append(setting(entry.key, to: value, of: entry.definition.type, in: provider, for: "set it"))
            }
            if answer != .absent { groups.append(resetting(entry.key, in: provider)) }
        }
        if mayLock { groups.append(locking(entry.key, !entry.definition.metadata.isLocked)) }
        return lines(groups)
    }

    func lines(of record: HistoryRecord, in view: CatalogueView) -> TerminalLines? {
        lines([reading(change: record.id), again(record.event, in: view)])
    }

    private func again(_ event: HistoryEvent, in view: CatalogueView) -> TerminalLines.Group? {
        guard let entry = view.catalogue[event.key] else { return nil }
        switch event.kind {
        case .lock, .unlock:
            return LockForm(entry, in: view) == nil
                ? nil : locking(event.key, event.kind == .lock, reason: event.reason)
        case .set, .reset, .external:
            let access = EditorAccess(entry, view, wanted: event.provider, form: nil)
            guard let provider = event.provider, access.provider == provider else { return nil }
            guard let value = event.after else { return resetting(event.key, in: provider, reason: event.reason) }
            return setting(
                event.key, to: value, of: event.type, in: provider, reason: event.reason,
                for: "set it to this value again")
        case .define, .redefine, .remove, .aborted, .denied, .prune, .accept, .note: return nil
        }
    }
}
