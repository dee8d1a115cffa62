import Foundation

/// JSON text as values of a property list, and back.
package enum FlagJSON {
    /// Reads JSON text.
    ///
    /// - Parameter text: A JSON object, array or single value.
    /// - Returns: The value; a number without a point and an exponent becomes an integer, another a real.
    /// - Throws: Where the text stops being JSON by line and column, also for two entries of one key; or that it holds
    ///   a `null` or an integer out of ``FlagValue/integerRange``, which a property list can't store.
    package static func value(_ text: String) throws(FlagValueError) -> FlagValue {
        let json = try JSONReader.value(text.utf8)
        if let problem = json.storageProblem(at: []) { throw problem }
        guard let value = json.stored else { throw FlagValueError("a property list can't store the value") }
        return value
    }

    /// The value as JSON text, keys sorted, indented by two spaces.
    ///
    /// Dates become ISO 8601 text and data base64 text. JSON has no `nan` and no infinities: they become text, and so
    /// does an integer out of ``FlagValue/integerRange``.
    ///
    /// - Parameter value: The value. Data that holds JSON, as RealFlags stores a Codable value, is shown as that JSON.
    /// - Returns: The text.
    package static func text(_ value: FlagValue) -> String { json(value).text(indent: "  ") }

    /// The same on one line.
    package static func line(_ value: FlagValue) -> String { json(value).text(indent: nil) }

    /// Reads JSON text, with all that JSON can say.
    package static func document(_ text: String) throws(FlagValueError) -> JSONValue {
        try JSONReader.value(text.utf8)
    }

    /// Reads JSON text in UTF-8, with all that JSON can say.
    package static func document(_ data: Data) throws(FlagValueError) -> JSONValue {
        try JSONReader.value(data)
    }

    /// The JSON that data holds; `nil` where the value is no data, or its data no JSON.
    static func document(in value: FlagValue) -> JSONValue? {
        guard case .data(let data) = value, case .success(let json) = Result(catching: { try JSONReader.value(data) })
        else { return nil }
        return json
    }

    private static func json(_ value: FlagValue) -> JSONValue { document(in: value) ?? JSONValue(value) }
}

/// What the values of flags are in JSON: the same on every way out.
extension FlagJSON {
    /// A flag's value as JSON.
    ///
    /// - Parameters:
    ///   - value: The value, stored or in the form of the type.
    ///   - type: The flag's type; `nil` where it isn't known.
    /// - Returns: The JSON: of a `json` flag that is stored as data what the data holds; other data is base64 text.
    package static func json(_ value: FlagValue, of type: FlagType?) -> JSONValue {
        (type == .json ? document(in: value) : nil) ?? JSONValue(value)
    }

    /// The JSON object or array that data holds.
    ///
    /// - Parameter value: The value.
    /// - Returns: `nil` where the value is no data, or its data holds neither.
    package static func structure(in value: FlagValue) -> JSONValue? {
        // Most data is no text at all.
        guard case .data(let data) = value, let first = data.first(where: { $0 != 0x20 && $0 != 0x0A }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return document(in: value)
    }

    /// Values nested by key path as JSON.
    package static func json(_ tree: FlagValue, jsonFlags keys: Set<FlagKeyPath>) -> JSONValue {
        keys.isEmpty ? JSONValue(tree) : json(tree, at: [], keys)
    }

    private static func json(_ value: FlagValue, at path: [String], _ keys: Set<FlagKeyPath>) -> JSONValue {
        if case .data = value { return json(value, of: keys.contains(FlagKeyPath(components: path)) ? .json : nil) }
        guard case .dictionary(let entries) = value else { return JSONValue(value) }
        return .object(
            Dictionary(uniqueKeysWithValues: entries.map { ($0, json($1, at: path + [$0], keys)) }))
    }

    /// A manifest as JSON, or a flag's entry of one.
    ///
    /// - Parameter value: The manifest, its array of flags, or an entry.
    /// - Returns: The JSON, in which default and suggestions of a `json` flag are JSON whatever their layout.
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

    /// JSON as text, keys sorted, indented by two spaces; a real that is whole keeps its point.
    package static func text(_ json: JSONValue) -> String { json.text(indent: "  ") }

    /// The same on one line.
    package static func line(_ json: JSONValue) -> String { json.text(indent: nil) }
}
