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
