import FeatureFlags
import Foundation

/// What an answer says.
struct RemoteContent: Sendable {
    /// The values, nested by key path, as a provider stores them.
    var entries: [String: FlagValue] = [:]
    /// The same as JSON, for the types that read JSON of their own; `nil` where the answer is none.
    var json: JSONFlagValues?
    /// Why single flags can't be read.
    var failures: [FlagKeyPath: FlagValueError] = [:]
    /// What was passed over, in words; `nil` for nothing.
    var remark: String?
    /// Where changes are told, as the answer has it.
    var eventStream: String?

    /// The key paths at which another answer says something else.
    ///
    /// - Parameter other: The other one.
    /// - Returns: The key paths, sorted.
    func differences(from other: RemoteContent) -> [FlagKeyPath] {
        let values =
            if let json, let otherJSON = other.json {
                json.differences(from: otherJSON)
            } else {
                FlagValue.dictionary(entries).differences(from: .dictionary(other.entries))
            }
        let failed = Set(failures.keys).union(other.failures.keys).filter { failures[$0] != other.failures[$0] }
        return failed.isEmpty ? values : Set(values).union(failed).sorted()
    }
}
