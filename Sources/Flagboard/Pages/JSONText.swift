import FeatureFlags

/// Arrays and dictionaries as JSON text.
enum JSONText {
    /// The value as JSON on several lines; `nil` where it is neither an array nor a dictionary.
    static func of(_ value: FlagValue) -> String? {
        switch value {
        case .array, .dictionary: FlagJSON.text(value)
        default: nil
        }
    }

    /// The value as JSON on one line.
    ///
    /// A line end is never inside a JSON string, so each one can go with the indentation after it.
    static func line(_ value: FlagValue) -> String {
        FlagJSON.text(value).split(separator: "\n")
            .map { $0.drop(while: { $0 == " " }) }.joined(separator: " ")
    }
}
