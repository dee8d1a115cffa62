/// The least or the greatest number that a flag may have: a whole number to the last digit, or any other as near as a
/// `Double` is.
///
/// ```swift
/// let most: FlagLimit = 10
/// let least = FlagLimit(0.5)
/// print(least < most)
/// ```
public struct FlagLimit: Hashable, Sendable {
    private enum Number: Hashable {
        case whole(Int128)
        case other(Double)
    }

    private let number: Number

    /// A limit that is a whole number.
    public init(_ whole: Int128) {
        number = .whole(whole)
    }

    /// A limit that may have a fraction.
    public init(_ double: Double) {
        number = Int128(exactly: double).map(Number.whole) ?? .other(double)
    }

    /// The nearest number.
    public var double: Double {
        switch number {
        case .whole(let whole): Double(whole)
        case .other(let double): double
        }
    }

    /// Whether it is no number at all, which no number keeps to.
    package var isNaN: Bool { double.isNaN }

    /// The limit as a flag's value: an integer where it is one that a value can be.
    package var value: FlagValue {
        if case .whole(let whole) = number, FlagValue.integerRange.contains(whole) {
            .integer(whole)
        } else {
            .double(double)
        }
    }

    /// The limit as people read and type it.
    package var text: String {
        if case .integer(let whole) = value { String(whole) } else { FlagNumber.text(double) }
    }

    /// The least whole number that is no less, as a limit.
    package var roundedUp: FlagLimit {
        if case .other(let double) = number { FlagLimit(double.rounded(.up)) } else { self }
    }

    /// The greatest whole number that is no greater, as a limit.
    package var roundedDown: FlagLimit {
        if case .other(let double) = number { FlagLimit(double.rounded(.down)) } else { self }
    }
}

extension FlagLimit: Comparable {
    /// Whether one limit is less than another; whole numbers are compared to the last digit.
    public static func < (left: FlagLimit, right: FlagLimit) -> Bool {
        switch (left.number, right.number) {
        case (.whole(let left), .whole(let right)): left < right
        // No number with a fraction is so large that two of them would be taken for one.
        default: left.double < right.double
        }
    }
}

extension FlagLimit: ExpressibleByIntegerLiteral {
    /// A limit that is a whole number.
    public init(integerLiteral whole: Int128) {
        self.init(whole)
    }
}

extension FlagLimit: ExpressibleByFloatLiteral {
    /// A limit that may have a fraction.
    public init(floatLiteral double: Double) {
        self.init(double)
    }
}
