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

/// `Codable` types: stored as data that holds JSON with sorted keys, as RealFlags stores them.
extension FlagProtocol where Self: Codable {
    /// Decodes JSON, whether it is stored as data or as a dictionary, an array or a scalar of its own.
    public init?(encoded value: EncodedFlagValue) {
        let json: Data =
            if case .data(let data) = value { data } else { Data(FlagJSON.text(value).utf8) }
        guard case .success(let decoded) = Result(catching: { try JSONDecoder().decode(Self.self, from: json) }) else {
            return nil
        }
        self = decoded
    }

    /// Data that holds JSON with sorted keys.
    public func encoded() throws(FlagValueError) -> EncodedFlagValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .data(try encoder.encode(self))
        } catch {
            throw FlagValueError("a value of the type \(Self.self) can't be written as JSON: \(error)")
        }
    }

    /// JSON; a type with an ``FlagProtocol/encoded()`` of its own says what that gives instead.
    public static var flagType: FlagType? { .json }

    /// Data, where the type is JSON: RealFlags reads nothing else.
    public static var flagStorage: FlagStorage? { flagType == .json ? .data : nil }
}

/// Whole numbers, read from an integer or from its text; one out of the type's range is refused.
extension FlagProtocol where Self: FixedWidthInteger & Codable {
    /// Reads an integer, or text that says one.
    public init?(encoded value: EncodedFlagValue) {
        guard let number = value.readAsInteger() else { return nil }
        self.init(exactly: number)
    }

    /// An integer.
    ///
    /// - Returns: The integer.
    /// - Throws: Where it is not of ``FlagValue/integerRange``, which only types of more than 64 bits exceed.
    public func encoded() throws(FlagValueError) -> EncodedFlagValue {
        guard let number = Int128(exactly: self), FlagValue.integerRange.contains(number) else {
            throw FlagValueError(
                "\(self) is out of range: an integer is from \(FlagValue.integerRange.lowerBound) to "
                    + "\(FlagValue.integerRange.upperBound)")
        }
        return .integer(number)
    }

    /// An integer.
    public static var flagType: FlagType? { .integer }

    /// The type's range.
    public static var flagExpectation: String { "a whole number from \(Self.min) to \(Self.max)" }
}

/// Numbers, read from a real, an integer or text.
extension FlagProtocol where Self: BinaryFloatingPoint & Codable {
    /// Reads a real, the nearest to an integer, or text that says a number; a finite one that the type can't hold is
    /// refused.
    public init?(encoded value: EncodedFlagValue) {
        guard let number = value.readAsDouble() else { return nil }
        let converted = Self(number)
        guard converted.isFinite || !number.isFinite else { return nil }
        self = converted
    }

    /// A real.
    public func encoded() -> EncodedFlagValue { .double(Double(self)) }

    /// A number.
    public static var flagType: FlagType? { .double }
}

extension Int: FlagProtocol {}
extension Int8: FlagProtocol {}
extension Int16: FlagProtocol {}
extension Int32: FlagProtocol {}
extension Int64: FlagProtocol {}
extension UInt: FlagProtocol {}
extension UInt8: FlagProtocol {}
extension UInt16: FlagProtocol {}
extension UInt32: FlagProtocol {}
extension UInt64: FlagProtocol {}
extension Double: FlagProtocol {}
extension Float: FlagProtocol {}
