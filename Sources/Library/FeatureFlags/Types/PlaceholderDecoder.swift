import Foundation

/// A value of a `Codable` type that is decoded from placeholders: zeros, empty texts, arrays of one element.
///
/// It serves as the sample of a type whose flag has neither a default nor a suggestion, and completes a sample that lacks
/// parts, such as the elements of an empty array.
enum Placeholder {
    /// The limit of values inside one another, since a recursive type has no end.
    private static let deepest = 6

    /// Returns a stored value of a type, with placeholders where `known` has no part; `nil` if the type refuses them.
    static func sample<Value: FlagProtocol & Decodable>(
        of type: Value.Type, completing known: FlagValue? = nil
    ) -> FlagValue? {
        let known = known.flatMap(FlagJSON.structure)
        guard case .success(let value) = Result(catching: { try Self.value(of: type, at: [], known) }),
            case .success(let sample) = Result(catching: { try value.encoded() })
        else { return nil }
        return sample
    }

    /// Decodes a value from what is known of it, and from placeholders.
    ///
    /// - Throws: What the type throws, or an error past the limit of depth.
    fileprivate static func value<Value: Decodable>(
        of type: Value.Type, at path: [any CodingKey], _ known: JSONValue?
    ) throws -> Value {
        guard path.count <= deepest else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "nested too deeply"))
        }
        if let optional = type as? any OptionalPlaceholder.Type,
            let value = optional.optional(at: path, known == .null ? nil : known) as? Value
        {
            return value
        }
        if let container = type as? any ContainerPlaceholder.Type,
            let value = try container.container(at: path, known) as? Value
        {
            return value
        }
        guard let json = json(of: type) else {
            return try Value(from: PlaceholderDecoder(codingPath: path, known: known))
        }
        return try JSONDecoder().decode(type, from: Data((known?.text(indent: nil) ?? json).utf8))
    }

    /// JSON of a type that `JSONDecoder` reads in its own way, or of the first case of an enum.
    private static func json(of type: any Decodable.Type) -> String? {
        switch type {
        case is Bool.Type: "false"
        case is URL.Type: "\"https://a.example\""
        case is String.Type, is Data.Type: "\"\""
        case is UUID.Type: "\"00000000-0000-0000-0000-000000000000\""
        case is Double.Type, is Float.Type, is Decimal.Type, is Date.Type, is any (FixedWidthInteger & Decodable).Type:
            "0"
        case let choice as any (RawRepresentable & CaseIterable & Decodable).Type: choice.firstCaseInJSON
        default: nil
        }
    }
}

/// The key of an element, which counts for the depth.
private struct ElementKey: CodingKey {
    var stringValue: String { "0" }
    var intValue: Int? { 0 }

    init() {}
    init?(stringValue: String) {}
    init?(intValue: Int) {}
}

extension RawRepresentable where Self: CaseIterable {
    fileprivate static var firstCaseInJSON: String? {
        switch allCases.first?.rawValue {
        case let text as String: FlagJSON.line(.string(text))
        case let number as any BinaryInteger: "\(number)"
        default: nil
        }
    }
}

private protocol OptionalPlaceholder {
    /// The wrapped type's placeholder; `nil` if the type refuses it, or past the limit of depth.
    static func optional(at path: [any CodingKey], _ known: JSONValue?) -> Self
}

extension Optional: OptionalPlaceholder where Wrapped: Decodable {
    fileprivate static func optional(at path: [any CodingKey], _ known: JSONValue?) -> Wrapped? {
        let value = Result { try Placeholder.value(of: Wrapped.self, at: path, known) }
        return if case .success(let value) = value { value } else { nil }
    }
}

private protocol ContainerPlaceholder {
    /// A container of what is known, or of one placeholder, or of none past the limit of depth.
    static func container(at path: [any CodingKey], _ known: JSONValue?) throws -> Self
}

extension Array: ContainerPlaceholder where Element: Decodable {
    fileprivate static func container(at path: [any CodingKey], _ known: JSONValue?) throws -> [Element] {
        if case .array(let items)? = known, !items.isEmpty {
            return try items.map { try Placeholder.value(of: Element.self, at: path + [ElementKey()], $0) }
        }
        return Element?.optional(at: path + [ElementKey()], nil).map { [$0] } ?? []
    }
}

extension Set: ContainerPlaceholder where Element: Decodable {
    fileprivate static func container(at path: [any CodingKey], _ known: JSONValue?) throws -> Set<Element> {
        Set(try [Element].container(at: path, known))
    }
}

extension Dictionary: ContainerPlaceholder where Key == String, Value: Decodable {
    fileprivate static func container(at path: [any CodingKey], _ known: JSONValue?) throws -> [String: Value] {
        if case .object(let members)? = known, !members.isEmpty {
            return try members.mapValues { try Placeholder.value(of: Value.self, at: path + [ElementKey()], $0) }
        }
        return Value?.optional(at: path + [ElementKey()], nil).map { ["a": $0] } ?? [:]
    }
}

/// Answers each request with the known value, or else with a placeholder of the type that is asked for.
private struct PlaceholderDecoder: Decoder {
    let codingPath: [any CodingKey]
    let known: JSONValue?
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        let members: [String: JSONValue]? = if case .object(let members)? = known { members } else { nil }
        return KeyedDecodingContainer(KeyedPlaceholders(codingPath: codingPath, known: members))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        let items: [JSONValue] = if case .array(let items)? = known { items } else { [] }
        return UnkeyedPlaceholders(codingPath: codingPath, known: items)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SinglePlaceholder(codingPath: codingPath, known: known)
    }
}

private struct KeyedPlaceholders<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]
    let known: [String: JSONValue]?

    var allKeys: [Key] { (known ?? [:]).keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { known.map { $0[key.stringValue] != nil } ?? true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Placeholder.value(of: type, at: codingPath + [key], known(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        Value?.optional(at: codingPath + [key], known(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        PlaceholderDecoder(codingPath: codingPath, known: known.map(JSONValue.object))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { nested(key) }

    private func nested(_ key: Key) -> PlaceholderDecoder {
        PlaceholderDecoder(codingPath: codingPath + [key], known: known(key))
    }

    private func known(_ key: Key) -> JSONValue? { known?[key.stringValue].flatMap { $0 == .null ? nil : $0 } }
}

/// The known elements, or one.
private struct UnkeyedPlaceholders: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    let known: [JSONValue]
    private(set) var currentIndex = 0

    init(codingPath: [any CodingKey], known: [JSONValue]) { (self.codingPath, self.known) = (codingPath, known) }

    var count: Int? { max(1, known.count) }
    var isAtEnd: Bool { currentIndex >= max(1, known.count) }

    mutating func decodeNil() throws -> Bool {
        try check()
        return false
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let next = try next()
        return try Placeholder.value(of: type, at: next.codingPath, next.known)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> PlaceholderDecoder {
        try check()
        defer { currentIndex += 1 }
        let element = known.indices.contains(currentIndex) ? known[currentIndex] : nil
        return PlaceholderDecoder(codingPath: codingPath + [ElementKey()], known: element)
    }

    private func check() throws {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: codingPath, debugDescription: "there are no more elements"))
        }
    }
}

private struct SinglePlaceholder: SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let known: JSONValue?

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Placeholder.value(of: type, at: codingPath, known)
    }
}
