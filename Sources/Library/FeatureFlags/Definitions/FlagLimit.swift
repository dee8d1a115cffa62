/// The least or greatest number of a flag: exact if it is whole, otherwise the nearest `Double`.
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

    /// Creates a whole limit.
    public init(_ whole: Int128) {
        number = .whole(whole)
    }

    /// Creates a limit that may have a fraction.
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

    /// No number satisfies a limit that is not a number.
    package var isNaN: Bool { double.isNaN }

    package var value: FlagValue {
        if case .whole(let whole) = number, FlagValue.integerRange.contains(whole) {
            .integer(whole)
        } else {
            .double(double)
        }
    }

    package var text: String {
        if case .integer(let whole) = value { String(whole) } else { FlagNumber.text(double) }
    }

    /// The least whole number that is not below the limit.
    package var roundedUp: FlagLimit {
        if case .other(let double) = number { FlagLimit(double.rounded(.up)) } else { self }
    }

    /// The greatest whole number that is not above the limit.
    package var roundedDown: FlagLimit {
        if case .other(let double) = number { FlagLimit(double.rounded(.down)) } else { self }
    }
}

extension FlagLimit: Comparable {
    /// Compares two limits, whole ones exactly.
    public static func < (left: FlagLimit, right: FlagLimit) -> Bool {
        switch (left.number, right.number) {
        case (.whole(let left), .whole(let right)): left < right
        // Numbers with a fraction are too small for two of them to become equal as doubles.
        default: left.double < right.double
        }
    }
}

extension FlagLimit: ExpressibleByIntegerLiteral {
    /// Creates a whole limit.
    public init(integerLiteral whole: Int128) {
        self.init(whole)
    }
}

extension FlagLimit: ExpressibleByFloatLiteral {
    /// Creates a limit that may have a fraction.
    public init(floatLiteral double: Double) {
        self.init(double)
    }
}
