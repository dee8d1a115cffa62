import FeatureFlags
import FlagHistory

/// Values that the history says were there.
extension ChangePlan {
    /// The flag that a value makes again which is put back to where nobody defined a flag and no provider holds anything.
    ///
    /// - Returns: A flag of the type that the value looks like; `nil` where the history, as far as it may be seen, knows of
    ///   no such value.
    /// - Throws: ``ChangeRefusal`` where something else has taken the place.
    func formerDefinition(_ change: Change) throws(ChangeRefusal) -> FlagDefinition? {
        guard case .putBack(let value) = change.action, workspace.obstacles.isEmpty, !isHidden(change.key),
            let provider = file(for: change)?.provider.name
        else { return nil }
        // A dictionary that nobody defines is a group, and no flag's value.
        if case .dictionary = value { return nil }
        guard try hasHeld(value, change.key, provider) else { return nil }
        guard workspace.definitions(reachedFrom: change.key).isEmpty, !workspace.holdsAnything(onTheWayTo: change.key)
        else { throw .occupied(change.key) }
        return FlagDefinition(key: change.key, type: FlagType(inferredFrom: value))
    }

    /// Whether the history tells that a provider once held just that value.
    func hasHeld(_ value: FlagValue, _ key: FlagKeyPath, _ provider: String) throws(ChangeRefusal) -> Bool {
        do {
            return try context.history.tells(of: value, at: key, in: provider)
        } catch {
            throw ChangeRefusal(storing: error)
        }
    }

    /// Whether a key path is that of a flag which must not appear, or lies inside or around one.
    private func isHidden(_ key: FlagKeyPath) -> Bool {
        workspace.hiddenFlags(showsInternal: context.options.showsInternal).contains { hidden in
            hidden == key || hidden.isInside(key) || key.isInside(hidden)
        }
    }
}

extension ChangeRefusal {
    /// A value that can't be put back, because its flag is gone and something else stands there.
    fileprivate static func occupied(_ key: FlagKeyPath) -> ChangeRefusal {
        ChangeRefusal(
            .invalid, key: key, "\(key) can't be put back: another flag or group has taken its place.",
            remedy: "Remove what stands at, inside or above that key path first; nothing was changed.")
    }
}
