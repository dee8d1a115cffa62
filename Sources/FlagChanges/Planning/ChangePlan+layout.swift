import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// The layout of values that a provider holds no more.
extension ChangePlan {
    /// A value that tells in which layout a flag's value is to be stored, where a provider holds none and the definition
    /// doesn't say: the one that the provider held last.
    ///
    /// For a value that has no layout of its own, as text and JSON have none, another provider's counts where the history
    /// knows of none.
    ///
    /// - Parameters:
    ///   - change: What is asked for.
    ///   - definition: The flag.
    ///   - provider: Where it goes to.
    /// - Returns: The value; `nil` where nothing tells.
    /// - Throws: ``ChangeError`` where the history can't be read.
    func formerValue(
        _ change: Change, _ definition: FlagDefinition, _ provider: String
    ) throws(ChangeError) -> FlagValue? {
        let type = definition.type
        guard definition.storage == nil, !FlagStorage.layouts(of: type).isEmpty else { return nil }
        if let last = try lastValue(of: change.key, in: provider), FlagStorage(of: last, as: type) != nil {
            return last
        }
        switch change.action {
        case .setText, .setJSON:
            return workspace.values.lazy.compactMap { workspace.stored(change.key, in: $0) }
                .first { FlagStorage(of: $0, as: type) != nil }
        default: return nil
        }
    }

    /// What a provider held last of a flag, by the changes that are planned and by the history.
    private func lastValue(of key: FlagKeyPath, in provider: String) throws(ChangeError) -> FlagValue? {
        let planned = events.last { $0.key == key && $0.provider == provider }
        if let value = planned?.after ?? planned?.before { return value }
        do {
            return try context.history.lastValue(of: key, in: provider)
        } catch {
            throw ChangeError(storing: error)
        }
    }
}
