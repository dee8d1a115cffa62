import Foundation

/// A value of a `Codable` type that is decoded from placeholders: zeros, empty texts, arrays of one element.
///
/// It serves as the sample of a type whose flag has neither a default nor a suggestion.
enum Placeholder {
    /// The limit of values inside one another, since a recursive type has no end.
    private static let deepest = 6

    /// Returns a stored value of a type; `nil` if the type refuses the placeholders.
    static func sample<Value: FlagProtocol & Decodable>(of type: Value.Type) -> FlagValue? {
        guard case .success(let value) = Result(catching: { try Self.value(of: type, at: []) }),
            case .success(let sample) = Result(catching: { try value.encoded() })
        else { return nil }
        return sample
    }

    /// Decodes a value from placeholders.
    ///
    /// - Throws: What the type throws, or an error past the limit of depth.
    fileprivate static func value<Value: Decodable>(of type: Value.Type, at path: [any CodingKey]) throws -> Value {
        guard path.count <= deepest else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "nested too deeply"))
        }
        if let optional = type as? any OptionalPlaceholder.Type, let value = optional.optional(at: path) as? Value {
            return value
        }
        if let container = type as? any ContainerPlaceholder.Type,
            let value = try container.container(at: path) as? Value
        {
            return value
        }
        guard let json = json(of: type) else { return try Value(from: PlaceholderDecoder(codingPath: path)) }
        return try JSONDecoder().decode(type, from: Data(json.utf8))
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
    static func optional(at path: [any CodingKey]) -> Self
}

extension Optional: OptionalPlaceholder where Wrapped: Decodable {
    fileprivate static func optional(at path: [any CodingKey]) -> Wrapped? {
        let value = Result { try Placeholder.value(of: Wrapped.self, at: path) }
        return if case .success(let value) = value { value } else { nil }
    }
}

private protocol ContainerPlaceholder {
    /// A container of one placeholder, or none past the limit of depth.
    static func container(at path: [any CodingKey]) throws -> Self
}

extension Array: ContainerPlaceholder where Element: Decodable {
    fileprivate static func container(at path: [any CodingKey]) -> [Element] {
        Element?.optional(at: path + [ElementKey()]).map { [$0] } ?? []
    }
}

extension Set: ContainerPlaceholder where Element: Decodable {
    fileprivate static func container(at path: [any CodingKey]) -> Set<Element> {
        Set([Element].container(at: path))
    }
}

extension Dictionary: ContainerPlaceholder where Key == String, Value: Decodable {
    fileprivate static func container(at path: [any CodingKey]) -> [String: Value] {
        Value?.optional(at: path + [ElementKey()]).map { ["a": $0] } ?? [:]
    }
}

/// Answers each request with a placeholder of the type that is asked for.
private struct PlaceholderDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedPlaceholders(codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { UnkeyedPlaceholders(codingPath: codingPath) }

    func singleValueContainer() -> any SingleValueDecodingContainer { SinglePlaceholder(codingPath: codingPath) }
}

private struct KeyedPlaceholders<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]

    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Placeholder.value(of: type, at: codingPath + [key])
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        Value?.optional(at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { PlaceholderDecoder(codingPath: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { nested(key) }

    private func nested(_ key: Key) -> PlaceholderDecoder { PlaceholderDecoder(codingPath: codingPath + [key]) }
}

/// One element.
private struct UnkeyedPlaceholders: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() throws -> Bool {
        try check()
        return false
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Placeholder.value(of: type, at: next().codingPath)
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
        currentIndex += 1
        return PlaceholderDecoder(codingPath: codingPath + [ElementKey()])
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

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Placeholder.value(of: type, at: codingPath)
    }
}
