import FeatureFlags
import FeatureFlagsXML
import Foundation

/// How the answers of a server are read.
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

    /// The boolean flags of CloudKit FeatureToggles: an array of `{"featureName": "checkout", "isActive": 1}`, or an object that
    /// holds it as `records`; also as CloudKit's web service has them, with `fields` of a `value` each.
    public static let records = RemoteShape(kind: .records)

    /// An XML property list, nested by key path, as RealFlags, SwiftFeatureConfigs and `flags.xml` have it.
    public static let propertyList = RemoteShape(kind: .propertyList)

    /// All flags as the OpenFeature Remote Evaluation Protocol evaluates them, asked for without a context; the address is the one
    /// that the protocol's paths are below.
    public static let ofrep = ofrep(context: [:])

    /// A JSON object below keys.
    ///
    /// - Parameter group: The keys above the values, outermost first.
    /// - Returns: The shape.
    public static func json(at group: [String]) -> RemoteShape { RemoteShape(kind: .json(group)) }

    /// All flags as the OpenFeature Remote Evaluation Protocol evaluates them.
    ///
    /// - Parameters:
    ///   - context: What the server evaluates them for, such as `["targetingKey": "shop-7"]`.
    ///   - separator: What joins the components of a key path to a flag's key; with `/`, a `~1` is a slash within a component, and a
    ///     `~0` a tilde.
    /// - Returns: The shape.
    public static func ofrep(context: [String: FlagValue], separator: String = "/") -> RemoteShape {
        RemoteShape(kind: .evaluations(context: .dictionary(context), separator: separator))
    }

    /// What a cache says of the values that it keeps.
    var text: String {
        switch kind {
        case .json([]): "json"
        case .json(let group): "json at \(FlagKeyPath(components: group).text)"
        case .records: "records"
        case .propertyList: "property list"
        case .evaluations(let context, let separator): "ofrep \(separator) \(FlagJSON.line(context))"
        }
    }

    /// Whether flags are read from what a store holds, and from nothing beside it.
    var isPlain: Bool { kind == .propertyList }

    /// What to ask for.
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

    /// What an answer says.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - maximumSize: The most bytes that it may have.
    /// - Returns: The values.
    /// - Throws: Where it has another shape.
    func content(of body: Data, maximumSize: Int) throws(FlagValueError) -> RemoteContent {
        switch kind {
        case .json(let group):
            guard let values = JSONFlagValues(try FlagJSON.document(body), at: group) else {
                let place = group.isEmpty ? "at the top" : "at \(FlagKeyPath(components: group).text)"
                throw FlagValueError("there is no JSON object \(place)")
            }
            return RemoteContent(entries: values.entries, json: values)
        case .records: return try RecordReader.content(of: try FlagJSON.document(body))
        case .propertyList: return try Self.propertyList(body, maximumSize)
        case .evaluations(_, let separator):
            return try EvaluationReader(separator: separator).content(of: try FlagJSON.document(body))
        }
    }
}

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
