import FeatureFlags
import FeatureFlagsXML

/// What one provider's file held when it was last read, as a provider to resolve flags against.
struct ValuesSnapshot: FlagsProvider {
    let name: String
    let shortDescription: String
    let isWritable: Bool
    let content: Result<PropertyListDocument, FlagValueProblem>

    /// Why the file can't be read now; `nil` where it can.
    var problem: String? {
        if case .failure(let problem) = content { problem.description } else { nil }
    }

    func storedValue(at key: FlagKeyPath) throws(FlagValueProblem) -> FlagValue? {
        try content.get().value(at: key)
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueProblem("\(key) can't be changed in a snapshot of \(name)")
    }
}
