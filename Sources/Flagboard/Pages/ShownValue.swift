import FeatureFlags
import Foundation

/// A value as the pages show it: text in quotes, data by its size, arrays and dictionaries as JSON.
struct ShownValue: Hashable, Sendable {
    /// The value, or that there is none.
    let text: String
    /// How it is coloured: `none`, `true`, `false`, `number`, `text`, `date`, `data` or `json`.
    let style: String

    /// Shows a value on one line.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` where there is none.
    ///   - limit: How many characters to show of it.
    init(_ value: FlagValue?, limit: Int = 120) {
        style = Self.style(of: value)
        let line = Self.text(of: value).split(separator: /\n\s*/, omittingEmptySubsequences: false)
        let isJSON = style == "json"
        let joined = line.joined(separator: isJSON ? " " : "↵")
        text = joined.count > limit ? joined.prefix(limit) + (isJSON || style == "date" ? "…" : "…\"") : joined
    }

    /// Shows a value whole, on as many lines as it has.
    ///
    /// - Parameter value: The value; `nil` where there is none.
    init(whole value: FlagValue?) {
        style = Self.style(of: value)
        if case .data(let data) = value, !data.isEmpty {
            text = Self.text(of: value) + ": " + data.base64EncodedString()
        } else {
            text = Self.text(of: value)
        }
    }

    private static func text(of value: FlagValue?) -> String {
        switch value {
        case nil: "no value"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): FlagNumber.text(value)
        case .string(let value): "\"\(value)\""
        case .date(let value): TimeText(value).text
        case .data(let value): value.count == 1 ? "1 byte" : "\(value.count) bytes"
        case .array, .dictionary: value.map(FlagJSON.text) ?? ""
        }
    }

    private static func style(of value: FlagValue?) -> String {
        switch value {
        case nil: "none"
        case .bool(let value): "\(value)"
        case .integer, .double: "number"
        case .string: "text"
        case .date: "date"
        case .data: "data"
        case .array, .dictionary: "json"
        }
    }
}
