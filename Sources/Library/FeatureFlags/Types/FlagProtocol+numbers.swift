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
