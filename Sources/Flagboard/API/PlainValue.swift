import FeatureFlags
import FlagHistory

/// A flag's value as plain JSON: of a `json` flag that JSON in whatever layout it is stored, a date is ISO 8601 text, other
/// data is base64 text, and a number that JSON has no form for is its name.
struct PlainValue: Encodable {
    let json: JSONValue

    /// A value of a flag, or where its type is unknown, a value by itself.
    init(_ value: FlagValue, of type: FlagType?) {
        json = FlagJSON.json(value, of: type)
    }

    /// A value before or after a change: of a flag, or a flag's entry in the manifest.
    init(_ value: FlagValue, of event: HistoryEvent) {
        json = event.provider == nil ? FlagJSON.json(manifest: value) : FlagJSON.json(value, of: event.type)
    }

    /// A value in a preview or a conflict: of a flag, or a flag's entry in the manifest.
    init(_ value: FlagValue, of type: FlagType?, isOfDefinition: Bool) {
        json = isOfDefinition ? FlagJSON.json(manifest: value) : FlagJSON.json(value, of: type)
    }

    private init(_ json: JSONValue) {
        self.json = json
    }

    /// Encodes the JSON for any encoder; ``JSONDocumentEncoder`` takes it as it is.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch json {
        case .null, .unsupported: try container.encodeNil()
        case .scalar(.bool(let value)): try container.encode(value)
        case .scalar(.integer(let number)): try container.encode(number)
        case .scalar(.double(let number)): try container.encode(number)
        case .scalar(.string(let text)): try container.encode(text)
        case .scalar(let value): try container.encode(value)
        case .longInteger(let digits): try container.encode(digits)
        case .array(let values): try container.encode(values.map(PlainValue.init))
        case .object(let entries): try container.encode(entries.mapValues(PlainValue.init))
        }
    }
}
