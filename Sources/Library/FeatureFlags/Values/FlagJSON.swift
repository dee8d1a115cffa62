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
