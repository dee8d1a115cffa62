import FeatureFlags

/// Makes JSON of a document in the spelling of every export: keys sorted, and a real that is whole with its point.
///
/// Foundation's encoder writes `1` for 1.0, by which an integer and a real could not be told apart.
enum JSONDocumentEncoder {
    /// A document as JSON on one line.
    ///
    /// - Parameter document: What to tell.
    /// - Returns: The text.
    /// - Throws: What a part of it throws.
    static func text(of document: some Encodable) throws -> String {
        let node = JSONNode()
        try node.encode(document, at: [])
        return FlagJSON.line(node.json)
    }
}

/// A value that is being put together.
private final class JSONNode {
    private enum Content {
        case value(JSONValue)
        case array([JSONNode])
        case object([String: JSONNode])
    }

    private var content = Content.object([:])

    /// The value as far as it is known.
    var json: JSONValue {
        switch content {
        case .value(let value): value
        case .array(let nodes): .array(nodes.map(\.json))
        case .object(let nodes): .object(nodes.mapValues(\.json))
        }
    }

    /// How many elements it has.
    var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

    func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
        switch value {
        case let plain as PlainValue: content = .value(plain.json)
        case let text as String: content = .value(.scalar(.string(text)))
        case let bool as Bool: content = .value(.scalar(.bool(bool)))
        case let number as Double: content = .value(JSONValue(.double(number)))
        case let number as Float: content = .value(JSONValue(.double(Double(number))))
        case let number as any BinaryInteger: content = .value(JSONValue(.integer(Int128(clamping: number))))
        default: try value.encode(to: JSONNodeEncoder(node: self, codingPath: path))
        }
    }

    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func becomeNull() { content = .value(.null) }

    /// A new part of an object.
    func part(_ key: String) -> JSONNode {
        var nodes: [String: JSONNode] = [:]
        if case .object(let known) = content { nodes = known }
        content = .value(.null)
        let node = JSONNode()
        nodes[key] = node
        content = .object(nodes)
        return node
    }

    /// A new element of an array.
    func element() -> JSONNode {
        var nodes: [JSONNode] = []
        if case .array(let known) = content { nodes = known }
        content = .value(.null)
        let node = JSONNode()
        nodes.append(node)
        content = .array(nodes)
        return node
    }
}

private struct JSONNodeEncoder: Encoder {
    let node: JSONNode
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectContainer<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return JSONArrayContainer(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleContainer(node: node, codingPath: codingPath)
    }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.part(key.stringValue).becomeNull() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.part(key.stringValue).encode(value, at: codingPath + [key])
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { JSONNodeEncoder(node: node.part("super"), codingPath: codingPath) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: Key) -> JSONNodeEncoder {
        JSONNodeEncoder(node: node.part(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]

    var count: Int { node.count }

    func encodeNil() { node.element().becomeNull() }

    func encode<Value: Encodable>(_ value: Value) throws { try node.element().encode(value, at: codingPath) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> JSONNodeEncoder { JSONNodeEncoder(node: node.element(), codingPath: codingPath) }
}

private struct JSONSingleContainer: SingleValueEncodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]

    func encodeNil() { node.becomeNull() }

    func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value, at: codingPath) }
}
