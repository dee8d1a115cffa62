/// The type of a flag's value.
///
/// ```swift
/// let type = FlagType(inferredFrom: .double(2.5))
/// print(type, type.expectation)
/// ```
public enum FlagType: String, CaseIterable, Codable, Hashable, Sendable {
    /// Yes or no.
    case bool
    /// A whole number from -2^63 to 2^64 - 1.
    case integer
    /// A number.
    case double
    /// Text.
    case string
    /// A point in time.
    case date
    /// Bytes.
    case data
    /// An absolute or relative URL, stored as text.
    case url
    /// One of the values that the definition lists.
    case choice
    /// A list of values.
    case array
    /// Values by name.
    case dictionary
    /// A JSON document, stored as a dictionary, an array, or JSON data.
    case json

    /// Creates the type of a stored value without a definition.
    ///
    /// - Parameter value: The stored value.
    public init(inferredFrom value: FlagValue) {
        self =
            switch value {
            case .bool: .bool
            case .integer: .integer
            case .double: .double
            case .string: .string
            case .date: .date
            case .data: .data
            case .array: .array
            case .dictionary: .dictionary
            case .broken(let value): value.kind.type
            }
    }
}
