import FeatureFlags
import FeatureFlagsXML
import FlagHistory

struct FormerValues {
    let context: ChangeContext
    let workspace: Workspace
    let events: [HistoryEvent]

    /// Returns the flag recreated by a restored value, if the visible history knows that value.
    func definition(by value: FlagValue, of change: Change) throws(ChangeError) -> FlagDefinition? {
        guard workspace.fileProblems.isEmpty,
            let provider = workspace.providerName(of: change),
            try hasHeld(value, change.key, provider)
        else { return nil }
        guard workspace.definitions(reachedFrom: change.key).isEmpty, !workspace.holdsAnything(onTheWayTo: change.key)
        else { throw .occupied(change.key) }
        return FlagDefinition(key: change.key, type: FlagType(inferredFrom: value))
    }

    func hasHeld(_ value: FlagValue, _ key: FlagKeyPath, _ provider: String) throws(ChangeError) -> Bool {
        // An undefined dictionary is a group, not a flag's value.
        if case .dictionary = value, workspace.definitions?.definition(of: key) == nil { return false }
        guard context.options.showsInternal || !workspace.isHidden(key) else { return false }
        do {
            return try context.history.hasRecorded(value, at: key, in: provider)
        } catch {
            throw ChangeError(storing: error)
        }
    }

    /// Returns the provider's last value, for its layout; for text and JSON, else another provider's.
    func layout(
        for asked: ValueChange, of definition: FlagDefinition, in provider: String
    ) throws(ChangeError) -> FlagValue? {
        let (key, type) = (definition.key, definition.type)
        guard definition.storage == nil, !FlagStorage.layouts(of: type).isEmpty else { return nil }
        if let last = try lastValue(of: key, in: provider), FlagStorage(of: last, as: type) != nil {
            return last
        }
        switch asked {
        case .setText, .setJSON:
            return workspace.values.lazy.compactMap { workspace.stored(key, in: $0) }
                .first { FlagStorage(of: $0, as: type) != nil }
        default: return nil
        }
    }

    private func lastValue(of key: FlagKeyPath, in provider: String) throws(ChangeError) -> FlagValue? {
        let planned = events.last { $0.key == key && $0.provider == provider && $0.kind.changesFlags }
        if let value = planned?.after ?? planned?.before { return value }
        do {
            return try context.history.lastValue(of: key, in: provider)
        } catch {
            throw ChangeError(storing: error)
        }
    }
}

extension Workspace {
    fileprivate func isHidden(_ key: FlagKeyPath) -> Bool {
        let near = definitions(reachedFrom: key) + [definitions?.definition(of: key)].compactMap(\.self)
        if near.contains(where: \.metadata.isInternal) { return true }
        return formerInternals.contains { former in
            (former == key || former.isInside(key) || key.isInside(former))
                && definitions?.definition(of: former) == nil
        }
    }
}

extension ChangeError {
    fileprivate static func occupied(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "Can't restore \(key): another flag or group has taken its place.",
            remedy: "Remove the flags or values at, inside or above this key path first. Nothing was changed.")
    }
}
