import FeatureFlags

/// Arrays, dictionaries and data that holds such as JSON text.
enum JSONText {
    /// The value as JSON on several lines; `nil` where it is none of these.
    static func of(_ value: FlagValue) -> String? {
        switch value {
        case .array, .dictionary: FlagJSON.text(value)
        default: FlagJSON.structure(in: value).map { FlagJSON.text($0) }
        }
    }

    /// The value as JSON on one line.
    static func line(_ value: FlagValue) -> String { line(JSONValue(value)) }

    /// JSON on one line.
    ///
    /// A line end is never inside a JSON string, so each one can go with the indentation after it.
    static func line(_ json: JSONValue) -> String {
        FlagJSON.text(json).split(separator: "\n")
            .map { $0.drop(while: { $0 == " " }) }.joined(separator: " ")
    }
}
