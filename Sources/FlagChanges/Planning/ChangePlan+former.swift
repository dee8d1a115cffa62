import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// Values that the history says were there.
extension ChangePlan {
    /// The flag that a value makes again which is put back to where nobody defined a flag and no provider holds anything.
    ///
    /// - Returns: A flag of the type that the value looks like; `nil` where the history, as far as it may be seen, knows of
    ///   no such value.
    /// - Throws: ``ChangeError`` where something else has taken the place.
    func formerDefinition(_ change: Change) throws(ChangeError) -> FlagDefinition? {
        guard case .putBack(let value) = change.action, workspace.fileProblems.isEmpty,
            let provider = file(for: change)?.provider.name
        else { return nil }
        guard try hasHeld(value, change.key, provider) else { return nil }
        guard workspace.definitions(reachedFrom: change.key).isEmpty, !workspace.holdsAnything(onTheWayTo: change.key)
        else { throw .occupied(change.key) }
        return FlagDefinition(key: change.key, type: FlagType(inferredFrom: value))
    }

    /// Whether the history, as far as it may be seen, tells that a provider once held just that value of a flag.
    func hasHeld(_ value: FlagValue, _ key: FlagKeyPath, _ provider: String) throws(ChangeError) -> Bool {
        // A dictionary that nobody defines is a group, and no flag's value.
        if case .dictionary = value, workspace.definitions?.definition(of: key) == nil { return false }
        guard context.options.showsInternal || !workspace.isHidden(key) else { return false }
        do {
            return try context.history.tells(of: value, at: key, in: provider)
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
    /// A value that can't be put back, because its flag is gone and something else stands there.
    fileprivate static func occupied(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be put back: another flag or group has taken its place.",
            remedy: "Remove what stands at, inside or above that key path first; nothing was changed.")
    }
}
