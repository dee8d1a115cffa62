/// The type of number in which an app holds a flag's value, by its name in OpenAPI's format registry.
///
/// ```swift
/// let percent = FlagConstraints(format: .uint8)
/// print(FlagFormat.uint8.type)  // integer
/// ```
public enum FlagFormat: String, CaseIterable, Codable, Hashable, Sendable {
    /// A whole number from -128 to 127.
    case int8
    /// A whole number from -32768 to 32767.
    case int16
    /// A whole number from -2^31 to 2^31 - 1.
    case int32
    /// A whole number from -2^63 to 2^63 - 1.
    case int64
    /// A whole number from 0 to 255.
    case uint8
    /// A whole number from 0 to 65535.
    case uint16
    /// A whole number from 0 to 2^32 - 1.
    case uint32
    /// A whole number from 0 to 2^64 - 1.
    case uint64
    /// A number of single precision, and the infinities.
    case float

    /// The type of the flags that may have it.
    public var type: FlagType { self == .float ? .double : .integer }

    /// Returns the formats of a type; none unless it is `integer` or `double`.
    public static func formats(of type: FlagType) -> [FlagFormat] { allCases.filter { $0.type == type } }

    /// `nil` for a type that no format describes, such as `Int128`.
    init?(_ integer: (some FixedWidthInteger).Type) {
        self.init(rawValue: "\(integer.isSigned ? "int" : "uint")\(integer.bitWidth)")
    }

    /// The least and the greatest whole number; `nil` for numbers with a fraction.
    package var range: ClosedRange<FlagLimit>? {
        switch self {
        case .int8: Self.range(of: Int8.self)
        case .int16: Self.range(of: Int16.self)
        case .int32: Self.range(of: Int32.self)
        case .int64: Self.range(of: Int64.self)
        case .uint8: Self.range(of: UInt8.self)
        case .uint16: Self.range(of: UInt16.self)
        case .uint32: Self.range(of: UInt32.self)
        case .uint64: Self.range(of: UInt64.self)
        case .float: nil
        }
    }

    private static func range<Integer: FixedWidthInteger>(of type: Integer.Type) -> ClosedRange<FlagLimit> {
        FlagLimit(Int128(type.min))...FlagLimit(Int128(type.max))
    }

    /// The type in generated code.
    package var swiftName: String {
        switch self {
        case .int64: "Int"
        case .uint64: "UInt"
        case .int8: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .uint8: "UInt8"
        case .uint16: "UInt16"
        case .uint32: "UInt32"
        case .float: "Float"
        }
    }
}
