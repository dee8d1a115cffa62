import FeatureFlags
import Foundation

/// Reads evaluations of all flags (OFREP 0.3.0, `service/openapi.yaml` of `open-feature/protocol`).
struct EvaluationReader {
    private static let path = "ofrep/v1/evaluate/flags"

    let separator: String

    static func address(below base: RemoteAddress) throws(RemoteError) -> RemoteAddress {
        guard !base.url.path.hasSuffix("/\(path)") else { return base }
        return try RemoteAddress(base.url.appending(path: path).absoluteString)
    }

    /// Reads evaluations; a failed one breaks its flag, a stale one too though its value is used, and one without a
    /// value is skipped.
    func content(of document: JSONValue) throws(FlagValueError) -> RemoteContent {
        guard case .array(let evaluations) = document.child("flags") else {
            throw FlagValueError("the array of evaluations \"flags\" is missing")
        }
        var content = RemoteContent(eventStream: Self.eventStream(in: document))
        var values: [(key: FlagKeyPath, value: JSONValue)] = []
        var stale: [FlagKeyPath: FlagValueError] = [:]
        var keyless = 0
        for evaluation in evaluations {
            guard case .scalar(.string(let text)) = evaluation.child("key") else {
                keyless += 1
                continue
            }
            let key = self.key(text)
            if case .scalar(.string(let code)) = evaluation.child("errorCode") {
                var problem = "the server can't evaluate it: \(code)"
                if case .scalar(.string(let details)) = evaluation.child("errorDetails") { problem += ", \(details)" }
                content.failures[key] = FlagValueError(problem)
            } else if let value = Self.value(of: evaluation) {
                values.append((key, value))
                if let problem = Self.staleness(of: evaluation) { stale[key] = problem }
            }
        }
        let tree = Tree()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where !tree.take(value, at: key) {
            content.failures[key] = FlagValueError(
                "the server has a different flag at \(key.text) or at a group above it; rename one of them")
        }
        guard let json = JSONFlagValues(tree.json) else {
            throw FlagValueError("can't combine the evaluations into an object")
        }
        (content.json, content.entries) = (json, json.entries)
        for (key, problem) in stale where content.failures[key] == nil {
            (content.failures[key], content.lastGood[key]) = (problem, content.value(at: key))
        }
        if keyless > 0 {
            content.remark = "\(keyless) of \(evaluations.count) evaluations are ignored because they have no key"
        }
        return content
    }

    /// Returns a key path, of a single component if the key has too many.
    private func key(_ text: String) -> FlagKeyPath {
        let whole = FlagKeyPath(components: [text])
        guard separator != FlagKeyPath.defaultPathSeparator else { return FlagKeyPath(text: text) ?? whole }
        let components = separator.isEmpty ? [text] : text.components(separatedBy: separator)
        return components.count > FlagKeyPath.maximumCount ? whole : FlagKeyPath(components: components)
    }

    /// Returns a flag's value of the type that Flagboard adds, since OFREP has no arrays and no data.
    private static func value(of evaluation: JSONValue) -> JSONValue? {
        guard let value = evaluation.child("value"), value != .null else { return nil }
        switch (evaluation.child("metadata")?.child("type"), value) {
        case (.scalar(.string("array")), .object(let members)):
            if members.count == 1, case .array? = members["items"] { return members["items"] }
        case (.scalar(.string("data")), .scalar(.string(let text))):
            if let data = Data(base64Encoded: text) { return .scalar(.data(data)) }
        default: break
        }
        return value
    }

    private static func staleness(of evaluation: JSONValue) -> FlagValueError? {
        guard case .scalar(.string("STALE")) = evaluation.child("reason") else { return nil }
        guard let metadata = evaluation.child("metadata"),
            case .scalar(.string(let source)) = metadata.child("brokenSource"),
            case .scalar(.string(let problem)) = metadata.child("problem")
        else { return FlagValueError("the server marks it as stale") }
        return FlagValueError("on the server, \(source) is broken: \(problem)")
    }

    private static func eventStream(in document: JSONValue) -> String? {
        guard case .array(let streams) = document.child("eventStreams") else { return nil }
        let stream = streams.first { $0.child("type") == .scalar(.string("sse")) }
        if case .scalar(.string(let url)) = stream?.child("url") { return url }
        guard case .scalar(.string(let path)) = stream?.child("endpoint")?.child("requestUri") else { return nil }
        guard case .scalar(.string(let origin)) = stream?.child("endpoint")?.child("origin") else { return path }
        return origin + path
    }

    private final class Tree {
        private var value: JSONValue?
        private var children: [String: Tree] = [:]

        var json: JSONValue { value ?? .object(children.mapValues(\.json)) }

        /// Returns whether there was room for the value.
        func take(_ value: JSONValue, at key: FlagKeyPath) -> Bool {
            var node = self
            for component in key.components {
                guard node.value == nil else { return false }
                if let child = node.children[component] {
                    node = child
                } else {
                    let child = Tree()
                    node.children[component] = child
                    node = child
                }
            }
            guard node.value == nil, node.children.isEmpty else { return false }
            node.value = value
            return true
        }
    }
}
