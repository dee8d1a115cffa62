import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// What the history, and the changes that are planned, tell of values that are there no more.
struct FormerValues {
    let context: ChangeContext
    let workspace: Workspace
    /// The rows of the changes that are planned.
    let events: [HistoryEvent]

    /// The flag that a value makes again which is put back where there is neither a definition nor a value.
    ///
    /// - Returns: A flag of the type that the value looks like; `nil` where the history, as far as it may be seen, knows of
    ///   no such value.
    /// - Throws: ``ChangeError`` where something else has taken the place.
    func definition(by value: FlagValue, of change: Change) throws(ChangeError) -> FlagDefinition? {
        guard workspace.fileProblems.isEmpty,
            let provider = workspace.file(change.provider, for: change.key)?.provider.name,
            try hasHeld(value, change.key, provider)
        else { return nil }
        guard workspace.definitions(reachedFrom: change.key).isEmpty, !workspace.holdsAnything(onTheWayTo: change.key)
        else { throw .occupied(change.key) }
        return FlagDefinition(key: change.key, type: FlagType(inferredFrom: value))
    }

    /// Whether the history, as far as it may be seen, tells that a provider once held just that value of a flag.
    ///
    /// - Throws: ``ChangeError`` where the history can't be read.
    func hasHeld(_ value: FlagValue, _ key: FlagKeyPath, _ provider: String) throws(ChangeError) -> Bool {
        // A dictionary without a definition is a group, and no flag's value.
        if case .dictionary = value, workspace.definitions?.definition(of: key) == nil { return false }
        guard context.options.showsInternal || !workspace.isHidden(key) else { return false }
        do {
            return try context.history.tells(of: value, at: key, in: provider)
        } catch {
            throw ChangeError(storing: error)
        }
    }

    /// A value that tells in which layout a flag's value is to be stored, where a provider holds none and the definition
    /// doesn't say: the one that the provider held last.
    ///
    /// For a value that has no layout of its own, as text and JSON have none, another provider's counts where the history
    /// knows of none.
    ///
    /// - Returns: The value; `nil` where nothing tells.
    /// - Throws: ``ChangeError`` where the history can't be read.
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

    /// What a provider held last of a flag.
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
    /// Whether a key path is that of a flag which must not appear, or lies inside or around one.
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
    /// A value that can't be put back, because its flag is gone and something else has its place.
    fileprivate static func occupied(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be put back: another flag or group has taken its place.",
            remedy: "Remove what is at, inside or above that key path first; nothing was changed.")
    }
}
