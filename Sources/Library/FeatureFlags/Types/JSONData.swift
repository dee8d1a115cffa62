import Foundation

/// A JSON object as a flag's value, read by key path; RealFlags' type of the same name.
///
/// ```swift
/// struct RankingFlags: FlagCollectionProtocol {
///     @Flag(default: JSONData(["weights": ["price": 2]]), description: "How results are ranked")
///     var ranking: JSONData
/// }
///
/// let weight: Int? = manager.addCollection(RankingFlags.self).ranking.valueForKey("weights.price")
/// ```
///
/// An object is stored as a dictionary, as in RealFlags, or as JSON data if it contains a `null`, which a property list
/// can't hold. Both forms read back the same.
public struct JSONData: Hashable, Sendable {
    private let value: JSONValue

    private init(_ value: JSONValue) {
        self.value = value
    }

    /// Creates an object from its entries.
    ///
    /// - Parameter dict: Strings, numbers, Booleans, `nil`, and arrays and dictionaries of these. Dates become ISO 8601
    ///   text, URLs text and data base64 text. Anything else makes ``encoded()`` throw.
    public init(_ dict: [String: Any]) {
        value = .object(dict.mapValues(JSONValue.init(any:)))
    }

    /// Creates an object from JSON text; `nil` if the text is not a JSON object.
    ///
    /// - Parameter jsonString: The text.
    public init?(jsonString: String) {
        guard case .success(.object(let entries)) = Result(catching: { try JSONReader.value(jsonString.utf8) }) else {
            return nil
        }
        value = .object(entries)
    }

    /// Returns the value at a key path.
    ///
    /// - Parameter keyPath: Keys joined by `.`; a whole number is an index of an array.
    /// - Returns: The value as a ``FlagProtocol`` type, `[String: Any]`, `[Any]` or `Any`; `nil` for none, `null`, or a
    ///   value of another type.
    public func valueForKey<V>(_ keyPath: String) -> V? {
        var found = value
        for key in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            guard let next = found.child(String(key)) else { return nil }
            found = next
        }
        if let type = V.self as? any FlagProtocol.Type {
            return found.stored.flatMap { type.init(encoded: $0) } as? V
        }
        return found.object as? V
    }

    /// The object as JSON text on one line, with sorted keys.
    public var jsonString: String { value.text(indent: nil) }
}

extension JSONData: FlagProtocol {
    /// Reads a dictionary, or data with a JSON object.
    public init?(encoded value: FlagValue) {
        switch value {
        case .dictionary(let entries):
            self.init(JSONValue.object(entries.mapValues { JSONValue($0) }))
        case .data(let data):
            self.init(jsonString: String(decoding: data, as: UTF8.self))
        default:
            return nil
        }
    }

    /// Returns a dictionary, or JSON data if there is a `null` in the object.
    ///
    /// - Throws: An error with the path of an entry that JSON can't express.
    public func encoded() throws(FlagValueError) -> FlagValue {
        if let problem = value.problem(at: []) { throw problem }
        return value.stored ?? .data(Data(jsonString.utf8))
    }

    /// JSON.
    public static var flagType: FlagType? { .json }

    /// A JSON object.
    public static var flagExpectation: String { "a JSON object" }
}

extension JSONData: CustomStringConvertible {
    /// JSON text.
    public var description: String { jsonString }
}

extension JSONValue {
    init(any: Any) {
        switch any {
        case let json as JSONValue: self = json
        case let values as [Any]: self = .array(values.map(JSONValue.init(any:)))
        case let entries as [String: Any]: self = .object(entries.mapValues(JSONValue.init(any:)))
        case is NSNull: self = .null
        case let optional as any OptionalFlagValue where optional.isNone: self = .null
        case let number as NSNumber where type(of: any) is NSNumber.Type: self.init(number)
        case let value as any FlagProtocol:
            switch Result(catching: { try value.encoded() }) {
            case .success(let stored): self.init(stored)
            case .failure: self = .unsupported("\(type(of: any))")
            }
        default: self = .unsupported("\(type(of: any))")
        }
    }

    /// Foundation marks a Boolean by the Objective-C type `c`.
    private init(_ number: NSNumber) {
        if String(cString: number.objCType) == "c" {
            self = .scalar(.bool(number.boolValue))
        } else {
            self.init(Int128(number.stringValue).map(FlagValue.integer) ?? .double(number.doubleValue))
        }
    }

    /// The value as Swift's own types; `nil` for `null`.
    var object: Any? {
        switch self {
        case .null, .unsupported: nil
        case .longInteger(let digits): Double(digits)
        case .scalar(.bool(let value)): value
        case .scalar(.integer(let value)): Int(exactly: value) ?? UInt64(exactly: value) ?? Double(value)
        case .scalar(.double(let value)): value
        case .scalar(.string(let text)): text
        case .scalar: nil
        case .array(let values): values.map { $0.object ?? NSNull() }
        case .object(let entries): entries.mapValues { $0.object ?? NSNull() }
        }
    }
}
