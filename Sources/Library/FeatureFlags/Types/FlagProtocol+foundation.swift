import Foundation

extension Bool: FlagProtocol {
    /// Reads a Boolean, an integer (0 is `false`), or text such as `true`, `no` or `1`.
    public init?(encoded value: FlagValue) {
        guard let bool = value.readAsBool() else { return nil }
        self = bool
    }

    /// A Boolean.
    public func encoded() -> FlagValue { .bool(self) }

    /// A Boolean.
    public static var flagType: FlagType? { .bool }
}

extension String: FlagProtocol {
    /// Reads a string.
    public init?(encoded value: FlagValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    /// A string.
    public func encoded() -> FlagValue { .string(self) }

    /// A string.
    public static var flagType: FlagType? { .string }
}

extension Data: FlagProtocol {
    /// Reads data.
    public init?(encoded value: FlagValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }

    /// Data.
    public func encoded() -> FlagValue { .data(self) }

    /// Data.
    public static var flagType: FlagType? { .data }
}

extension Date: FlagProtocol {
    /// Reads a date, or ISO 8601 text.
    public init?(encoded value: FlagValue) {
        guard let date = value.readAsDate() else { return nil }
        self = date
    }

    /// Returns ISO 8601 text of whole seconds, rounded down, as in RealFlags, which reads no fractions.
    ///
    /// - Throws: An error if the date is not a number, or is outside the years 1 to 9999, such as `Date.distantPast`.
    public func encoded() throws(FlagValueError) -> FlagValue {
        guard let text = FlagDate.wholeSecondText(self) else {
            throw FlagValueError(
                "the date \(FlagDate.text(self)) is outside the years 1 to 9999 of ISO 8601; use a date "
                    + "in this range, or an optional date without a value")
        }
        return .string(text)
    }

    /// A date.
    public static var flagType: FlagType? { .date }
}

extension URL: FlagProtocol {
    /// Reads the text of a URL.
    public init?(encoded value: FlagValue) {
        guard case .string(let text) = value, let url = URL(string: text, encodingInvalidCharacters: false) else {
            return nil
        }
        self = url
    }

    /// Text.
    public func encoded() -> FlagValue { .string(absoluteString) }

    /// A URL.
    public static var flagType: FlagType? { .url }
}

/// `Codable` types, stored as JSON data with sorted keys, as in RealFlags.
extension FlagProtocol where Self: Codable {
    /// Decodes JSON, stored as data or as a dictionary, an array or a scalar.
    public init?(encoded value: FlagValue) {
        let json: Data =
            if case .data(let data) = value { data } else { Data(FlagJSON.text(value).utf8) }
        guard case .success(let decoded) = Result(catching: { try JSONDecoder().decode(Self.self, from: json) }) else {
            return nil
        }
        self = decoded
    }

    /// Returns JSON data with sorted keys.
    public func encoded() throws(FlagValueError) -> FlagValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .data(try encoder.encode(self))
        } catch {
            throw FlagValueError("can't encode a value of the type \(Self.self) as JSON: \(error)")
        }
    }

    /// JSON; a type with its own ``FlagProtocol/encoded()`` overrides this.
    public static var flagType: FlagType? { .json }

    /// Data for a JSON type, since RealFlags reads nothing else.
    public static var flagStorage: FlagStorage? { flagType == .json ? .data : nil }
}

/// Whole numbers, read from an integer or its text; one outside the type's range is refused.
extension FlagProtocol where Self: FixedWidthInteger & Codable {
    /// Reads an integer, or the text of one.
    public init?(encoded value: FlagValue) {
        guard let number = value.readAsInteger() else { return nil }
        self.init(exactly: number)
    }

    /// Returns an integer.
    ///
    /// - Throws: An error if it is outside ``FlagValue/integerRange``, which only types of more than 64 bits exceed.
    public func encoded() throws(FlagValueError) -> FlagValue {
        guard let number = Int128(exactly: self), FlagValue.integerRange.contains(number) else {
            throw FlagValueError(
                "\(self) is out of range: an integer is from \(FlagValue.integerRange.lowerBound) to "
                    + "\(FlagValue.integerRange.upperBound)")
        }
        return .integer(number)
    }

    /// An integer.
    public static var flagType: FlagType? { .integer }

    /// The type's format, or the range of a type that has none.
    public static var flagConstraints: FlagConstraints {
        if let format = FlagFormat(Self.self) { return FlagConstraints(format: format) }
        return FlagConstraints(
            minimum: Int128(exactly: Self.min).map { FlagLimit($0) },
            maximum: Int128(exactly: Self.max).map { FlagLimit($0) })
    }
}

/// Numbers, read from a real, an integer or text.
extension FlagProtocol where Self: BinaryFloatingPoint & Codable {
    /// Reads a real, an integer (as the nearest real), or the text of a number.
    ///
    /// A finite number outside the type's range is refused.
    public init?(encoded value: FlagValue) {
        guard let number = value.readAsDouble() else { return nil }
        let converted = Self(number)
        guard converted.isFinite || !number.isFinite else { return nil }
        self = converted
    }

    /// A real.
    public func encoded() -> FlagValue { .double(Double(self)) }

    /// A number.
    public static var flagType: FlagType? { .double }

    /// The type's format; `double` needs none.
    public static var flagConstraints: FlagConstraints {
        FlagConstraints(format: Self.self == Float.self ? .float : nil)
    }
}

extension Int: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension Int8: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension Int16: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension Int32: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension Int64: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension UInt: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension UInt8: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension UInt16: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension UInt32: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension UInt64: FlagProtocol {
    /// An integer.
    public func encoded() -> FlagValue { .integer(Int128(self)) }
}

extension Double: FlagProtocol {}
extension Float: FlagProtocol {}
