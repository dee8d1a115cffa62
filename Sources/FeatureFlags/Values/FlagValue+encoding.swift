import Foundation

/// The lossless, typed text form of a value that the history and the API keep: JSON, one object for each value, whose
/// only key names the kind: `{"bool":true}`, `{"integer":"18446744073709551615"}`, `{"double":"nan"}`,
/// `{"date":"2026-01-31T12:00:00Z"}`, `{"array":[{"string":"a"}]}`. Keys of dictionaries are sorted, so equal values
/// have equal text.
extension FlagValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case bool, integer, double, string, date, data, array, dictionary
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
        }
    }

    /// Reads the typed form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a value is an object with one known key"))
        }
        func invalid() -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: "not a valid \(key.stringValue)")
        }
        switch key {
        case .bool: self = .bool(try container.decode(Bool.self, forKey: key))
        case .integer:
            guard let value = Int128(try container.decode(String.self, forKey: key)), Self.integerRange.contains(value)
            else { throw invalid() }
            self = .integer(value)
        case .double:
            guard let value = FlagNumber.parse(try container.decode(String.self, forKey: key)) else { throw invalid() }
            self = .double(value)
        case .string: self = .string(try container.decode(String.self, forKey: key))
        case .date:
            guard let value = Self.date(of: try container.decode(String.self, forKey: key)) else { throw invalid() }
            self = .date(value)
        case .data:
            guard let value = Data(base64Encoded: try container.decode(String.self, forKey: key)) else {
                throw invalid()
            }
            self = .data(value)
        case .array: self = .array(try container.decode([FlagValue].self, forKey: key))
        case .dictionary: self = .dictionary(try container.decode([String: FlagValue].self, forKey: key))
        }
    }

    /// The typed text form.
    ///
    /// - Throws: `EncodingError`, which only a value nested too deep for the encoder brings about.
    public func encodedText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads the typed text form.
    ///
    /// - Parameter encodedText: What ``encodedText()`` returned.
    /// - Throws: `DecodingError` where the text is not such a form.
    public init(encodedText: String) throws {
        self = try JSONDecoder().decode(FlagValue.self, from: Data(encodedText.utf8))
    }

    /// What ``FlagDate`` can't say to the last bit is kept as `@` and seconds since Foundation's reference date.
    private static func text(of date: Date) -> String {
        let text = FlagDate.text(date)
        return FlagDate.parse(text) == date ? text : "@\(date.timeIntervalSinceReferenceDate)"
    }

    private static func date(of text: String) -> Date? {
        guard text.hasPrefix("@") else { return FlagDate.parse(text) }
        return FlagNumber.parse(String(text.dropFirst())).map(Date.init(timeIntervalSinceReferenceDate:))
    }
}
