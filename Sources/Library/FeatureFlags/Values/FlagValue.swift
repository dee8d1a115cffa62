import Foundation

/// A value as a provider stores it: one case for each kind that an Apple property list knows.
///
/// ```swift
/// let value: FlagValue = ["fee": 4.9, "zones": ["north", "south"]]
/// let fee = Double(encoded: 4.9)
/// print(value.kind, fee ?? 0)
/// ```
///
/// Two values are equal when the property lists that hold them say the same: `nan` equals `nan`, `0.0` and `-0.0`
/// differ, and `1` (integer) and `1.0` (real) differ. Strings, and the keys of dictionaries, are compared by Unicode
/// scalars, not by canonical equivalence, so that an edit from one spelling to the other is an edit.
public enum FlagValue: Sendable {
    /// `<true/>` or `<false/>`.
    case bool(Bool)
    /// `<integer>`: from -2^63 to 2^64 - 1.
    case integer(Int128)
    /// `<real>`, with `nan` and the infinities.
    case double(Double)
    /// `<string>`.
    case string(String)
    /// `<date>`: seconds are the finest unit that a property list stores.
    case date(Date)
    /// `<data>`.
    case data(Data)
    /// `<array>`.
    case array([FlagValue])
    /// `<dict>`.
    case dictionary([String: FlagValue])
    /// An element whose text is no value of its kind: no flag has it, and a file keeps it until it is set or reset.
    case broken(BrokenFlagValue)

    /// What a property list can store as an `<integer>`: -2^63 to 2^64 - 1.
    public static let integerRange: ClosedRange<Int128> = Int128(Int64.min)...Int128(UInt64.max)

    /// The kind of value, in the words of the pages and of the history.
    public var kind: String {
        switch self {
        case .bool: "boolean"
        case .integer: "integer"
        case .double: "real"
        case .string: "string"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dictionary"
        case .broken(let value): "broken \(value.kind.word)"
        }
    }
}

extension FlagValue: Hashable {
    /// Whether two values say the same in a property list.
    public static func == (left: FlagValue, right: FlagValue) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.identity == right.identity
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): left.identity == right.identity
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)):
            left.count == right.count
                && left.allSatisfy { key, value in
                    guard let index = right.index(forKey: key) else { return false }
                    return right[index].key.utf8.elementsEqual(key.utf8) && right[index].value == value
                }
        case (.broken(let left), .broken(let right)): left == right
        default: false
        }
    }

    /// Feeds the value to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.identity)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value.identity)
        case .data(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .dictionary(let values): hasher.combine(values)
        case .broken(let value): hasher.combine(value)
        }
    }
}

extension FlagValue: CustomStringConvertible {
    /// The kind and the value, for logs: ``briefDescription``, and every part of an array or a dictionary.
    public var description: String {
        // The default would print dates by Foundation's description, which stops the process at one that is not a number.
        switch self {
        case .array(let values): "\(values)"
        case .dictionary(let values): "\(values)"
        default: briefDescription
        }
    }
}

extension Double {
    /// The bits, the same for every `nan`.
    fileprivate var identity: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Date {
    /// The bits of the time, the same for every `nan`, and for both zeros.
    fileprivate var identity: UInt64 { (timeIntervalSinceReferenceDate + 0).identity }
}

/// Values written as Swift literals: `["retries": 3, "colours": ["red", "blue"]]` is a dictionary of values.
extension FlagValue: ExpressibleByBooleanLiteral {
    /// A boolean.
    ///
    /// - Parameter value: The literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral {
    /// An integer; a number of a fraction or an exponent is a real.
    ///
    /// - Parameter value: The literal.
    public init(integerLiteral value: Int128) { self = .integer(value) }
}

extension FlagValue: ExpressibleByFloatLiteral {
    /// A real.
    ///
    /// - Parameter value: The literal.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension FlagValue: ExpressibleByStringInterpolation {
    /// A string.
    ///
    /// - Parameter value: The literal.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByArrayLiteral {
    /// An array.
    ///
    /// - Parameter elements: Its values.
    public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
    /// A dictionary.
    ///
    /// - Parameter elements: Its keys and values; the last one of a key holds.
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}

/// Why a value is not valid for a flag: what was found, and what is wanted instead.
///
/// ```swift
/// do {
///     _ = try local.storedValue(at: flags.$paymentRetries.keyPath)
/// } catch {
///     print("The file can't be read: \(error)")
/// }
/// ```
public struct FlagValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
    public let description: String
    /// Whether it is not known if the value is valid, since checking it would take too long.
    package let isUnchecked: Bool

    /// Makes a problem.
    ///
    /// - Parameter description: A sentence that says what is wrong and what would be right.
    public init(_ description: String) {
        self.init(description, isUnchecked: false)
    }

    init(_ description: String, isUnchecked: Bool) {
        self.description = description
        self.isUnchecked = isUnchecked
    }
}

/// Numbers as text.
package enum FlagNumber {
    /// A whole number of at most 21 digits without a fraction (`5`, `-0`), any other with as many digits as it takes
    /// (`0.1`, `1e+30`).
    ///
    /// - Parameter number: The number.
    /// - Returns: The text, which ``parse(_:)`` reads as the same number.
    package static func text(_ number: Double) -> String {
        guard number.magnitude < 1e21, let whole = Int128(exactly: number) else {
            return number.isNaN ? "nan" : "\(number)"
        }
        return number == 0 && number.sign == .minus ? "-0" : String(whole)
    }

    /// Reads a decimal number, such as `5`, `-0.1` or `2e3`, or `nan`, `inf` or `infinity`.
    ///
    /// - Parameter text: The text.
    /// - Returns: The nearest number; `nil` where the text is none, or says a number too large for a `Double`, or too small to
    ///   be told from 0.
    package static func parse(_ text: String) -> Double? {
        guard let number = Double(text) else { return nil }
        if text.wholeMatch(of: /(?i)[+-]?inf(inity)?|[+-]?nan/) != nil { return number }
        // Swift also reads hexadecimal fractions and a payload behind `nan`, and takes what is too large as infinite.
        guard number.isFinite, text.utf8.allSatisfy(decimalBytes.contains) else { return nil }
        return number == 0 && text.prefix { !"eE".contains($0) }.contains(where: "123456789".contains) ? nil : number
    }

    /// The whole number that a number is.
    ///
    /// - Returns: The whole number; `nil` where it has a fraction, or is so large (beyond 2⁵³) that what it was read from may
    ///   have been another.
    package static func exactWhole(_ number: Double) -> Int128? {
        number.magnitude <= 9_007_199_254_740_992 ? Int128(exactly: number) : nil
    }

    private static let decimalBytes = Set("0123456789+-.eE".utf8)
}

/// Cases of RealFlags' `EncodedFlagValue` that a property list doesn't tell apart from others.
extension FlagValue {
    /// A number, by RealFlags' name for one of single precision.
    ///
    /// - Parameter value: The number.
    /// - Returns: The nearest double, which a property list stores.
    @available(*, deprecated, message: "A property list knows one kind of real: use .double")
    public static func float(_ value: Float) -> FlagValue { .double(Double(value)) }
}
