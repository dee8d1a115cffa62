/// Decodes JSON and records in a ``CodableShape`` what is asked for.
struct ShapeDecoder: Decoder {
    let shape: CodableShape
    let json: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        shape.note(FlagSchema(type: .json))
        guard case .object(let members) = json else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(KeyedShape(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        shape.note(FlagSchema(type: .array))
        guard case .array(let elements) = json else { throw mismatch([Any].self) }
        return UnkeyedShape(decoder: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleShape(decoder: self) }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "found \(json.briefDescription)"))
    }
}

private struct KeyedShape<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ShapeDecoder
    let members: [String: JSONValue]

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        decoder.shape.noteUnclear()
        return members.keys.sorted().compactMap(Key.init)
    }

    func contains(_ key: Key) -> Bool {
        shape(of: key).noteOptional()
        return members[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        shape(of: key).noteOptional()
        return try value(of: key) == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try shape(of: key).decode(type, from: value(of: key), at: codingPath + [key])
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try found(type, key)
    }

    // The defaults of these would ask for the key alone, and lose the type of a missing member.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try found(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try found(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try found(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try found(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try found(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try found(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try found(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try found(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try found(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try found(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try found(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try found(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try found(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try found(type, key) }

    private func found<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        let shape = shape(of: key)
        shape.noteOptional()
        guard let json = members[key.stringValue], json != .null else {
            shape.note(missing: type)
            return nil
        }
        return try shape.decode(type, from: json, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.shape.noteUnclear()
        return decoder
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

    private func nested(_ key: Key) throws -> ShapeDecoder {
        ShapeDecoder(shape: shape(of: key), json: try value(of: key), codingPath: codingPath + [key])
    }

    private func shape(of key: Key) -> CodableShape { decoder.shape.member(key.stringValue) }

    private func value(of key: Key) throws -> JSONValue {
        guard let json = members[key.stringValue] else {
            shape(of: key).noteUnclear()
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "no such member"))
        }
        return json
    }
}

private struct UnkeyedShape: UnkeyedDecodingContainer {
    let decoder: ShapeDecoder
    let elements: [JSONValue]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        decoder.shape.elements.noteOptional()
        guard try current() == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.shape.elements.decode(type, from: current(), at: codingPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try nested() }

    private mutating func nested() throws -> ShapeDecoder {
        let json = try current()
        currentIndex += 1
        return ShapeDecoder(shape: decoder.shape.elements, json: json, codingPath: codingPath)
    }

    private func current() throws -> JSONValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: codingPath, debugDescription: "there are no more elements"))
        }
        return elements[currentIndex]
    }
}

private struct SingleShape: SingleValueDecodingContainer {
    let decoder: ShapeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.shape.noteOptional()
        return decoder.json == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.shape.decode(type, from: decoder.json, at: codingPath)
    }
}
