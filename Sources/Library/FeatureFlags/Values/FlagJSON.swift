import Foundation

package enum FlagJSON {
    /// Reads JSON text; a number without a point and an exponent becomes an integer, another one a real.
    ///
    /// Throws the line and column of a syntax error or a repeated key. Also throws for a `null` or an integer outside
    /// ``FlagValue/integerRange``, which a property list can't store.
    package static func value(_ text: String) throws(FlagValueError) -> FlagValue {
        try value(JSONReader.value(text.utf8))
    }

    static func value(_ json: JSONValue) throws(FlagValueError) -> FlagValue {
        if let problem = json.storageProblem(at: []) { throw problem }
        guard let value = json.stored else { throw FlagValueError("can't store the value in a property list") }
        return value
    }

    /// Returns JSON text with sorted keys, indented by two spaces.
    ///
    /// Dates become ISO 8601 text and data base64 text, except that JSON data, as RealFlags stores Codable values,
    /// becomes that JSON. `nan`, infinities and integers outside ``FlagValue/integerRange`` become text.
    package static func text(_ value: FlagValue) -> String { json(value).text(indent: "  ") }

    /// Returns JSON text on one line.
    package static func line(_ value: FlagValue) -> String { json(value).text(indent: nil) }

    package static func document(_ text: String) throws(FlagValueError) -> JSONValue {
        try JSONReader.value(text.utf8)
    }

    /// Reads JSON that another program keeps.
    package static func document(_ data: Data) throws(FlagValueError) -> JSONValue {
        try JSONReader.storedValue(data)
    }

    /// Returns the JSON in data; `nil` for another value or other data.
    static func document(in value: FlagValue) -> JSONValue? {
        guard case .data(let data) = value,
            case .success(let json) = Result(catching: { try JSONReader.storedValue(data) })
        else { return nil }
        return json
    }

    /// `true` for data with a lone text, number or Boolean.
    static func isScalar(_ value: FlagValue) -> Bool { if case .scalar? = document(in: value) { true } else { false } }

    private static func json(_ value: FlagValue) -> JSONValue { document(in: value) ?? JSONValue(value) }
}

extension FlagJSON {
    /// Returns a flag's value as JSON.
    ///
    /// Data of a `json` flag becomes the JSON in it; other data is base64 text. `type` is `nil` if unknown.
    package static func json(_ value: FlagValue, of type: FlagType?) -> JSONValue {
        (type?.rules.form == .document ? document(in: value) : nil) ?? JSONValue(value)
    }

    /// Returns the JSON object or array in data; `nil` for another value or other data.
    package static func structure(in value: FlagValue) -> JSONValue? {
        // Most data is not text.
        guard case .data(let data) = value, let first = data.first(where: { $0 != 0x20 && $0 != 0x0A }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return document(in: value)
    }

    package static func json(_ tree: FlagValue, jsonFlags keys: Set<FlagKeyPath>) -> JSONValue {
        keys.isEmpty ? JSONValue(tree) : json(tree, at: [], keys)
    }

    private static func json(_ value: FlagValue, at path: [String], _ keys: Set<FlagKeyPath>) -> JSONValue {
        if case .data = value { return json(value, of: keys.contains(FlagKeyPath(components: path)) ? .json : nil) }
        guard case .dictionary(let entries) = value else { return JSONValue(value) }
        return .object(
            Dictionary(uniqueKeysWithValues: entries.map { ($0, json($1, at: path + [$0], keys)) }))
    }

    /// Converts a manifest, its array of flags, or one entry.
    ///
    /// Default and suggestions of a `json` flag become JSON, whatever their layout.
    package static func json(manifest value: FlagValue) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map(json(manifest:)))
        case .dictionary(let entries):
            let isJSON = entries["type"] == .string(FlagType.json.rawValue)
            return .object(
                Dictionary(
                    uniqueKeysWithValues: entries.map { name, value in
                        switch (name, value) {
                        case ("flags", _): (name, json(manifest: value))
                        case ("default", _) where isJSON: (name, json(value, of: .json))
                        case ("suggestions", .array(let values)) where isJSON:
                            (name, .array(values.map { json($0, of: .json) }))
                        default: (name, JSONValue(value))
                        }
                    }))
        default: return JSONValue(value)
        }
    }

    /// Returns text with sorted keys, indented by two spaces; a whole real keeps its point.
    package static func text(_ json: JSONValue) -> String { json.text(indent: "  ") }

    /// Returns text on one line.
    package static func line(_ json: JSONValue) -> String { json.text(indent: nil) }
}
