/// The layout in which a flag's values are stored, for the types that have more than one.
///
/// ```swift
/// print(FlagStorage.layouts(of: .date))  // as text, or as a date of the property list
/// ```
///
/// All layouts are read. One that ``FlagDefinition/storage`` names is that of every value that is stored.
public enum FlagStorage: String, CaseIterable, Hashable, Sendable {
    /// Of `json`: a dictionary or an array, whose parts are values of the property list. It holds no `null`.
    case dictionary
    /// Of `json`: data that holds JSON text, as RealFlags stores a Codable value. It holds `null` too.
    case data
    /// Of `date`: text such as `2026-01-31T12:00:00Z`, as RealFlags stores a date.
    case string
    /// Of `date`: the property list's own `<date>`.
    case date

    /// The layouts that a type has: the usual one first, none where there is only one.
    ///
    /// - Parameter type: The type.
    /// - Returns: The layouts.
    public static func layouts(of type: FlagType) -> [FlagStorage] {
        switch type {
        case .json: [.dictionary, .data]
        case .date: [.string, .date]
        case .bool, .integer, .double, .string, .data, .url, .choice, .array, .dictionary: []
        }
    }

    /// The layout of a value; `nil` where the type has only one, or the value is none of the type.
    package init?(of value: FlagValue, as type: FlagType) {
        switch (type, value) {
        case (.json, .dictionary), (.json, .array): self = .dictionary
        case (.json, .data): self = .data
        case (.date, .string): self = .string
        case (.date, .date): self = .date
        default: return nil
        }
    }
}
