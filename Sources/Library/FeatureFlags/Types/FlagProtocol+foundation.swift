import Foundation

extension Bool: FlagProtocol {
    /// Reads a boolean, an integer (0 is `false`), or text such as `true`, `no` or `1`.
    public init?(encoded value: EncodedFlagValue) {
        guard let bool = value.readAsBool() else { return nil }
        self = bool
    }

    /// A boolean.
    public func encoded() -> EncodedFlagValue { .bool(self) }

    /// A boolean.
    public static var flagType: FlagType? { .bool }
}

extension String: FlagProtocol {
    /// Reads a string.
    public init?(encoded value: EncodedFlagValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    /// A string.
    public func encoded() -> EncodedFlagValue { .string(self) }

    /// Text.
    public static var flagType: FlagType? { .string }
}

extension Data: FlagProtocol {
    /// Reads data.
    public init?(encoded value: EncodedFlagValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }

    /// Data.
    public func encoded() -> EncodedFlagValue { .data(self) }

    /// Data.
    public static var flagType: FlagType? { .data }
}

extension Date: FlagProtocol {
    /// Reads a date, or ISO 8601 text.
    public init?(encoded value: EncodedFlagValue) {
        guard let date = value.readAsDate() else { return nil }
        self = date
    }

    /// ISO 8601 text, as RealFlags stores a date, which reads no fractions of a second.
    ///
    /// - Returns: The text of the second that the date lies in.
    /// - Throws: Where the date is not a number, or of none of the years 1 to 9999: `Date.distantPast` is not.
    public func encoded() throws(FlagValueError) -> EncodedFlagValue {
        guard let text = FlagDate.wholeSecondText(self) else {
            throw FlagValueError(
                "the date \(FlagDate.text(self)) is none of the years 1 to 9999, which ISO 8601 text can say; use one of these, or an "
                    + "optional date that is nil")
        }
        return .string(text)
    }

    /// A date.
    public static var flagType: FlagType? { .date }
}

extension URL: FlagProtocol {
    /// Reads text that is a URL.
    public init?(encoded value: EncodedFlagValue) {
        guard case .string(let text) = value, let url = URL(string: text, encodingInvalidCharacters: false) else {
            return nil
        }
        self = url
    }

    /// Text.
    public func encoded() -> EncodedFlagValue { .string(absoluteString) }

    /// A URL.
    public static var flagType: FlagType? { .url }
}
