import FeatureFlags
import FeatureFlagsXML

/// What one provider's file held when it was last read, as a provider to resolve flags against.
struct ValuesSnapshot: FlagsProvider {
    let name: String
    let shortDescription: String
    let isWritable: Bool
    let content: Result<PropertyListDocument, FlagValueProblem>

    func storedValue(at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue? {
        try content.get().value(at: key)
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueProblem("\(key) can't be changed in a snapshot of \(name)")
    }
}
