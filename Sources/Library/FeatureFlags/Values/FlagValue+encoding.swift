import Foundation

/// The lossless, typed text form of a value, for the history and the API.
///
/// Each value is a JSON object whose only key is the kind: `{"bool":true}`, `{"integer":"18446744073709551615"}`,
/// `{"double":"nan"}`, `{"date":"2026-01-31T12:00:00Z"}`, `{"array":[{"string":"a"}]}`; a broken value has its element
/// and text, `{"broken":{"date":"soon"}}`. Dictionary keys are sorted, so that equal values have equal text.
extension FlagValue: Codable {
    fileprivate enum CodingKeys: String, CodingKey {
        case bool, integer, double, string, date, data, array, dictionary, broken
    }

    /// Writes the typed form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .integer(let value): try container.encode(String(value), forKey: .integer)
        case .double(let value): try container.encode(value.isNaN ? "nan" : "\(value)", forKey: .double)
        case .string(let value): try container.encode(value, forKey: .string)
        case .date(let value): try container.encode(Self.text(of: value), forKey: .date)
        case .data(let value): try container.encode(value.base64EncodedString(), forKey: .data)
        case .array(let values): try container.encode(values, forKey: .array)
        case .dictionary(let values): try container.encode(values, forKey: .dictionary)
        case .broken(let value): try container.encode([value.kind.rawValue: value.text], forKey: .broken)
        }
    }

    /// Reads the typed form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a value must be an object with one known key"))
        }
        switch key {
        case .bool: self = .bool(try container.decode(Bool.self, forKey: key))
        case .array: self = .array(try container.decode([FlagValue].self, forKey: key))
        case .dictionary: self = .dictionary(try container.decode([String: FlagValue].self, forKey: key))
        case .broken:
            let parts = try container.decode([String: String].self, forKey: key)
            guard let (name, text) = parts.first, parts.count == 1, let kind = BrokenFlagValue.Kind(rawValue: name)
            else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "not the content of a broken value")
            }
            self = .broken(BrokenFlagValue(kind: kind, text: text))
        case .integer, .double, .string, .date, .data:
            guard let value = FlagValue(try container.decode(String.self, forKey: key), as: key) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "invalid \(key.stringValue)")
            }
            self = value
        }
    }

    /// `nil` if the text is not of the kind.
    fileprivate init?(_ text: String, as kind: CodingKeys) {
        switch kind {
        case .integer:
            guard let value = Int128(text), Self.integerRange.contains(value) else { return nil }
            self = .integer(value)
        case .double:
            guard let value = FlagNumber.parse(text) else { return nil }
            self = .double(value)
        case .string: self = .string(text)
        case .date:
            guard let value = Self.date(of: text) else { return nil }
            self = .date(value)
        case .data:
            guard let value = Data(base64Encoded: text) else { return nil }
            self = .data(value)
        case .bool, .array, .dictionary, .broken: return nil
        }
    }

    /// Returns the typed text form.
    ///
    /// - Throws: `EncodingError` if the value is nested too deep for the encoder.
    public func encodedText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads the typed text form.
    ///
    /// - Parameter encodedText: The result of ``encodedText()``.
    /// - Throws: `DecodingError` if the text is invalid.
    public init(encodedText: String) throws {
        do {
            self = try JSONReader.read(encodedText.utf8, maximumDepth: Self.deepestText) {
                reader throws(FlagValueError) in
                try reader.typedValue()
            }
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
        }
    }

    /// The encoder's limit of nesting.
    private static let deepestText = 512

    /// Dates that ``FlagDate`` can't express exactly become `@` and seconds since Foundation's reference date.
    private static func text(of date: Date) -> String {
        let text = FlagDate.text(date)
        return FlagDate.parse(text) == date ? text : "@\(date.timeIntervalSinceReferenceDate)"
    }

    private static func date(of text: String) -> Date? {
        guard text.hasPrefix("@") else { return FlagDate.parse(text) }
        return FlagNumber.parse(String(text.dropFirst())).map(Date.init(timeIntervalSinceReferenceDate:))
    }
}

extension JSONReader {
    /// Reads the typed form without an intermediate tree, as a long history has thousands of values.
    fileprivate mutating func typedValue() throws(FlagValueError) -> FlagValue {
        try onlyEntry { reader, name throws(FlagValueError) in
            switch FlagValue.CodingKeys(stringValue: name) {
            case .bool: return .bool(try reader.bool())
            case .array:
                return .array(try reader.array { reader throws(FlagValueError) in try reader.typedValue() })
            case .dictionary:
                return .dictionary(try reader.object { reader throws(FlagValueError) in try reader.typedValue() })
            case .broken:
                return try reader.onlyEntry { reader, name throws(FlagValueError) in
                    guard let kind = BrokenFlagValue.Kind(rawValue: name) else {
                        throw reader.problem("unknown element \"\(name)\"")
                    }
                    return .broken(BrokenFlagValue(kind: kind, text: try reader.string()))
                }
            case let kind?:
                let text = try reader.string()
                guard let value = FlagValue(text, as: kind) else { throw reader.problem("invalid \(name)") }
                return value
            case nil: throw reader.problem("unknown kind of value \"\(name)\"")
            }
        }
    }
}
