import FeatureFlags
import FeatureFlagsXML
import Foundation

/// The format of a server's answers.
///
/// ```swift
/// let shape = RemoteShape.json(at: ["config"])  // {"config": {"delivery": {"fee": 3.5}}} sets delivery/fee
/// ```
public struct RemoteShape: Hashable, Sendable {
    private enum Kind: Hashable {
        case json([String])
        case records
        case propertyList
        case evaluations(context: FlagValue, separator: String)
    }

    private let kind: Kind

    /// A JSON object, nested by key path.
    public static let json = json(at: [])

    /// The boolean flags of CloudKit FeatureToggles: an array of `{"featureName": "checkout", "isActive": 1}`.
    ///
    /// The array may be the `records` of an object, and each record may have the `fields` of CloudKit's web service.
    public static let records = RemoteShape(kind: .records)

    /// An XML property list, nested by key path, as in RealFlags, SwiftFeatureConfigs and `flags.xml`.
    public static let propertyList = RemoteShape(kind: .propertyList)

    /// All flags of an OpenFeature Remote Evaluation Protocol server, evaluated without a context.
    ///
    /// The address is the one above the protocol's paths.
    public static let ofrep = ofrep(context: [:])

    /// Returns the shape of a JSON object below the keys of `group`, outermost first.
    public static func json(at group: [String]) -> RemoteShape { RemoteShape(kind: .json(group)) }

    /// Returns the shape of all flags of an OpenFeature Remote Evaluation Protocol server.
    ///
    /// - Parameters:
    ///   - context: The context of the evaluation, such as `["targetingKey": "shop-7"]`.
    ///   - separator: The separator of a key path's components in a flag's key; with `/`, `~1` is a slash within a
    ///     component, and `~0` a tilde.
    /// - Returns: The shape.
    public static func ofrep(context: [String: FlagValue], separator: String = "/") -> RemoteShape {
        RemoteShape(kind: .evaluations(context: .dictionary(context), separator: separator))
    }

    var text: String {
        switch kind {
        case .json([]): "json"
        case .json(let group): "json at \(FlagKeyPath(components: group).text)"
        case .records: "records"
        case .propertyList: "property list"
        case .evaluations(let context, let separator): "ofrep \(separator) \(FlagJSON.line(context))"
        }
    }

    /// `true` if flags are read from the store alone.
    var isPlain: Bool { kind == .propertyList }

    func request(at address: RemoteAddress) throws(RemoteError) -> RemoteRequest {
        switch kind {
        case .json, .records: return RemoteRequest(address: address, accepted: "application/json")
        case .propertyList:
            return RemoteRequest(address: address, accepted: "application/x-plist, application/xml, text/xml")
        case .evaluations(let context, _):
            let content = FlagJSON.line(.dictionary(["context": context]))
            return RemoteRequest(
                address: try EvaluationReader.address(below: address), content: Data(content.utf8),
                accepted: "application/json")
        }
    }

    func content(of body: Data, maximumSize: Int) throws(FlagValueError) -> RemoteContent {
        switch kind {
        case .json(let group):
            guard let values = JSONFlagValues(try FlagJSON.document(body), at: group) else {
                let place = group.isEmpty ? "at the top level" : "at \(FlagKeyPath(components: group).text)"
                throw FlagValueError("the JSON object \(place) is missing")
            }
            return RemoteContent(entries: values.entries, json: values)
        case .records: return try RecordReader.content(of: try FlagJSON.document(body))
        case .propertyList: return try Self.propertyList(body, maximumSize)
        case .evaluations(_, let separator):
            return try EvaluationReader(separator: separator).content(of: try FlagJSON.document(body))
        }
    }
}

struct RemoteContent: Sendable {
    var entries: [String: FlagValue] = [:]
    /// For types that read JSON themselves; `nil` for other formats.
    var json: JSONFlagValues?
    var failures: [FlagKeyPath: FlagValueError] = [:]
    /// The last good values of flags in ``failures``, from this answer or earlier ones.
    var lastGood: [FlagKeyPath: FlagValue] = [:]
    var remark: String?
    var eventStream: String?

    /// Keeps the last good values of the previous answer for unreadable flags.
    func following(_ previous: RemoteContent) -> RemoteContent {
        var content = self
        for key in failures.keys where content.lastGood[key] == nil {
            content.lastGood[key] = previous.lastValue(at: key)
        }
        return content
    }

    func value(at key: FlagKeyPath) -> FlagValue? {
        do throws(BlockedPathError) { return try FlagValue.dictionary(entries).value(at: key) } catch { return nil }
    }

    private func lastValue(at key: FlagKeyPath) -> FlagValue? { failures[key] == nil ? value(at: key) : lastGood[key] }

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
    static func propertyList(_ body: Data, _ maximumSize: Int) throws(FlagValueError) -> RemoteContent {
        let document: PropertyListDocument
        do throws(PropertyListError) {
            document = try PropertyListDocument(source: body, maximumSize: maximumSize)
        } catch {
            throw FlagValueError("invalid property list: \(error)")
        }
        guard case .dictionary(let entries) = document.root else {
            throw FlagValueError("the root of the property list is not a <dict>")
        }
        return RemoteContent(entries: entries)
    }
}
