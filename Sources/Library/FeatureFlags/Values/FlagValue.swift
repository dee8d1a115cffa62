import Foundation

/// A stored value: one case for each kind of an Apple property list.
///
/// ```swift
/// let value: FlagValue = ["fee": 4.9, "zones": ["north", "south"]]
/// let fee = Double(encoded: 4.9)
/// print(value.kind, fee ?? 0)
/// ```
///
/// Equality follows the property list: `nan` equals `nan`, but `0.0` and `-0.0` differ, as do `1` (integer) and `1.0`
/// (real). Strings and dictionary keys are compared by Unicode scalars, so that a change of spelling is an edit.
public enum FlagValue: Sendable {
    /// `<true/>` or `<false/>`.
    case bool(Bool)
    /// `<integer>`: from -2^63 to 2^64 - 1.
    case integer(Int128)
    /// `<real>`, with `nan` and the infinities.
    case double(Double)
    /// `<string>`.
    case string(String)
    /// `<date>`, in whole seconds in a property list.
    case date(Date)
    /// `<data>`.
    case data(Data)
    /// `<array>`.
    case array([FlagValue])
    /// `<dict>`.
    case dictionary([String: FlagValue])
    /// An element with invalid text, which no flag can use; a file keeps it until the flag is set or reset.
    case broken(BrokenFlagValue)

    /// The range of an `<integer>` in a property list.
    public static let integerRange: ClosedRange<Int128> = Int128(Int64.min)...Int128(UInt64.max)

    /// The kind of value, as pages and history name it.
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
    /// Compares values as property lists do.
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

    /// Hashes the value.
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
        // Foundation's description of a date that is not a number would trap.
        switch self {
        case .array(let values): "\(values)"
        case .dictionary(let values): "\(values)"
        default: briefDescription
        }
    }
}

extension Double {
    /// The bits, equal for every `nan`.
    fileprivate var identity: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Date {
    /// The bits of the time, equal for every `nan` and for both zeros.
    fileprivate var identity: UInt64 { (timeIntervalSinceReferenceDate + 0).identity }
}

/// Swift literals as values: `["retries": 3, "colours": ["red", "blue"]]` is a dictionary.
extension FlagValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral {
    /// Creates an integer; a literal with a fraction or an exponent is a real.
    public init(integerLiteral value: Int128) { self = .integer(value) }
}

extension FlagValue: ExpressibleByFloatLiteral {
    /// Creates a real.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension FlagValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    ///
    /// - Parameter elements: The values.
    public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary.
    ///
    /// - Parameter elements: The keys and values; of two values with one key, the last is used.
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}

/// The reason why a value is not valid for a flag: the value found and the one expected.
///
/// ```swift
/// do {
///     _ = try local.storedValue(at: flags.$paymentRetries.keyPath)
/// } catch {
///     print("The file can't be read: \(error)")
/// }
/// ```
public struct FlagValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault and its remedy, without its place.
    let problem: String
    /// The value or text that has the fault, if the problem doesn't name it.
    let found: String?
    /// The path of the part of the value that has the fault; `nil` for the whole value.
    let path: [String]?
    /// The values that are valid, if the whole value is of another type or out of range.
    package let expectation: String?
    /// `true` if validity is unknown, as the check would take too long.
    package let isUnchecked: Bool

    /// A sentence with the fault and its remedy.
    public var description: String {
        located(found.map { "\($0) is invalid: \(problem)" } ?? problem)
    }

    /// The same without the value, for people who just entered it.
    package var advice: String { located(problem) }

    private func located(_ text: String) -> String {
        path.map { "at /\(FlagKeyPath(components: $0)), \(text)" } ?? text
    }

    /// Creates an error.
    ///
    /// - Parameter description: A sentence with the fault and its remedy.
    public init(_ description: String) {
        self.init(description, of: nil)
    }

    init(_ problem: String, of found: String? = nil, isUnchecked: Bool = false, path: [String]? = nil) {
        self.problem = problem
        self.found = found
        self.isUnchecked = isUnchecked
        self.path = path
        expectation = nil
    }

    /// Creates the error for a value other than the expected ones.
    init(of value: FlagValue, expected expectation: String) {
        problem = "found \(value.briefDescription), expected \(expectation)"
        self.expectation = expectation
        (found, path, isUnchecked) = (nil, nil, false)
    }
}

extension FlagValueError {
    /// Errors with the same description are equal.
    public static func == (one: FlagValueError, other: FlagValueError) -> Bool {
        one.description == other.description && one.isUnchecked == other.isUnchecked
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
        hasher.combine(isUnchecked)
    }
}
