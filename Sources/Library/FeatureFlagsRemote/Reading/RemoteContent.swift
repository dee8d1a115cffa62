import FeatureFlags
import FeatureFlagsXML
import Foundation

/// What an answer says.
struct RemoteContent: Sendable {
    /// The values, nested by key path, as a provider stores them.
    var entries: [String: FlagValue] = [:]
    /// The same as JSON, for the types that read JSON of their own; `nil` where the answer is none.
    var json: JSONFlagValues?
    /// Why single flags can't be read.
    var failures: [FlagKeyPath: FlagValueError] = [:]
    /// What those flags were when they could last be read, by what the server says, or what it said before.
    var lastGood: [FlagKeyPath: FlagValue] = [:]
    /// What was passed over, in words; `nil` for nothing.
    var remark: String?
    /// Where changes are told, as the answer has it.
    var eventStream: String?

    /// This answer, after another one: flags that can't be read are what they were.
    func following(_ previous: RemoteContent) -> RemoteContent {
        var content = self
        for key in failures.keys where content.lastGood[key] == nil {
            content.lastGood[key] = previous.lastValue(at: key)
        }
        return content
    }

    /// What ``entries`` hold at a key path.
    func value(at key: FlagKeyPath) -> FlagValue? {
        do throws(BlockedPathError) { return try FlagValue.dictionary(entries).value(at: key) } catch { return nil }
    }

    private func lastValue(at key: FlagKeyPath) -> FlagValue? { failures[key] == nil ? value(at: key) : lastGood[key] }

    /// The key paths at which another answer says something else.
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

extension RemoteShape {
    /// What a property list says.
    ///
    /// - Parameters:
    ///   - body: The property list.
    ///   - maximumSize: The most bytes that it may have.
    /// - Returns: Its values.
    /// - Throws: What is wrong with it, and where.
    static func propertyList(_ body: Data, _ maximumSize: Int) throws(FlagValueError) -> RemoteContent {
        let document: PropertyListDocument
        do throws(PropertyListError) {
            document = try PropertyListDocument(source: body, maximumSize: maximumSize)
        } catch {
            throw FlagValueError("not a valid property list: \(error)")
        }
        guard case .dictionary(let entries) = document.root else {
            throw FlagValueError("the root of the property list is no <dict>")
        }
        return RemoteContent(entries: entries)
    }
}
