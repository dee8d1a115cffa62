import FeatureFlags
import FlagChanges

extension Change {
    /// Whether it brings back a value that the flag does not take.
    ///
    /// - Parameter catalogue: The flags as they are.
    /// - Returns: Whether it does.
    func breaksFlag(in catalogue: FlagCatalogue) -> Bool {
        guard case .putBack(let value) = action, let entry = catalogue[key], entry.isDefined else { return false }
        if case .success = Result(catching: { try entry.definition.interpret(value) }) { return false }
        return true
    }
}
