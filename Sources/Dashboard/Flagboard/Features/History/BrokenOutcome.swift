import FeatureFlags
import FlagChanges

extension Change {
    /// Whether it brings back a value that the flag does not take.
    func breaksFlag(in catalogue: FlagCatalogue) -> Bool {
        guard case .value(.putBack(let value)) = action, let entry = catalogue[key], entry.isDefined else {
            return false
        }
        if case .success = Result(catching: { try entry.definition.interpret(value) }) { return false }
        return true
    }

    /// Which providers hold values now that a definition, as it is to be, does not take.
    func brokenProviders(in catalogue: FlagCatalogue) -> [String] {
        guard case .definition(let change) = action, let edit = change.edit else { return [] }
        return (catalogue[key]?.resolution.readings ?? []).filter { reading in
            guard let stored = reading.answer.stored else { return false }
            if case .success = Result(catching: { try edit.definition.interpret(stored) }) { return false }
            return true
        }.map(\.provider)
    }
}
