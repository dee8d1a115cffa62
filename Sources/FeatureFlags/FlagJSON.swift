import Foundation

/// JSON text as values of a property list, and back.
public enum FlagJSON {
    /// Reads JSON text.
    ///
    /// - Parameter text: A JSON object, array or single value.
    /// - Returns: The value; numbers without a point and an exponent become integers, and reals where they are out of
    ///   ``FlagValue/integerRange``; other numbers become reals.
    /// - Throws: Where the text stops being JSON, or that it holds a `null`, which a property list can't store.
    public static func value(_ text: String) throws(FlagValueProblem) -> FlagValue {
        try value(try object(Data(text.utf8)), at: [])
    }

    /// The value as JSON text, keys sorted, indented by two spaces.
    ///
    /// Dates become ISO 8601 text and data base64 text. JSON has no `nan` and no infinities: they become text, and so
    /// does an integer out of ``FlagValue/integerRange``.
    ///
    /// - Parameter value: The value. Data that holds JSON, as RealFlags stores a Codable value, is shown as that JSON.
    /// - Returns: The text.
    public static func text(_ value: FlagValue) -> String {
        if case .data(let data) = value, case .success(let object) = Result(catching: { try object(data) }) {
            return text(object: object)
        }
        return text(object: object(value))
    }

    /// Reads JSON bytes as Foundation's objects.
    ///
    /// - Parameter data: UTF-8 JSON text.
    /// - Returns: The objects.
    /// - Throws: Where the text stops being JSON.
    static func object(_ data: Data) throws(FlagValueProblem) -> Any {
        do {
            return try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
        } catch {
            let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            throw FlagValueProblem("not valid JSON: \(cause ?? "the text is empty or cut short")")
        }
    }

    /// JSON text on one line with sorted keys, as RealFlags stores a Codable value.
    static func compactText(object: Any) -> String {
        text(object: object, options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
    }

    private static func text(
        object: Any,
        options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed,
        ]
    ) -> String {
        switch Result(catching: { try JSONSerialization.data(withJSONObject: object, options: options) }) {
        case .success(let data): return String(decoding: data, as: UTF8.self)
        case .failure: return "\(object)"
        }
    }

    private static func object(_ value: FlagValue) -> Any {
        switch value {
        case .bool(let value): return value
        case .integer(let value):
            if let value = Int64(exactly: value) { return NSNumber(value: value) }
            return UInt64(exactly: value).map(NSNumber.init(value:)) ?? String(value)
        case .double(let value): return value.isFinite ? value as Any : FlagNumber.text(value)
        case .string(let value): return value
        case .date(let value): return FlagDate.text(value)
        case .data(let value): return value.base64EncodedString()
        case .array(let values): return values.map { object($0) }
        case .dictionary(let values): return values.mapValues { object($0) }
        }
    }

    private static func value(_ object: Any, at path: [String]) throws(FlagValueProblem) -> FlagValue {
        switch object {
        case let text as String: return .string(text)
        case let number as NSNumber: return value(number)
        case let array as [Any]:
            var values: [FlagValue] = []
            for (index, element) in array.enumerated() {
                values.append(try value(element, at: path + [String(index)]))
            }
            return .array(values)
        case let dictionary as [String: Any]:
            var values: [String: FlagValue] = [:]
            for (key, element) in dictionary.sorted(by: { $0.key < $1.key }) {
                values[key] = try value(element, at: path + [key])
            }
            return .dictionary(values)
        default:
            let place = path.isEmpty ? "the top" : "/\(FlagKeyPath(components: path))"
            throw FlagValueProblem("null at \(place): a property list can't store it; leave the entry out")
        }
    }

    /// Foundation marks JSON's booleans by the Objective-C type `c`, and numbers with more digits than its own types hold by
    /// `NSDecimalNumber`.
    private static func value(_ number: NSNumber) -> FlagValue {
        let kind = String(cString: number.objCType)
        if kind == "c" { return .bool(number.boolValue) }
        let isDecimal = number is NSDecimalNumber
        if kind != "d" || isDecimal, let integer = Int128(number.stringValue),
            FlagValue.integerRange.contains(integer)
        {
            return .integer(integer)
        }
        // A decimal number's `doubleValue` is not the nearest one.
        return .double(isDecimal ? Double(number.stringValue) ?? number.doubleValue : number.doubleValue)
    }
}
