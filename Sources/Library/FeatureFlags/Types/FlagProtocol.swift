/// A type of flag values.
///
/// `Bool`, all `Int`, `UInt` and floating-point types, `String`, `URL`, `Date`, `Data`, ``JSONData``, arrays and
/// dictionaries of these, and their optionals conform. An enum with raw values or a `Codable` type conforms without
/// further code:
///
/// ```swift
/// enum RatingMode: String, CaseIterable, FlagProtocol { case never, atLaunch, afterPurchase }
/// struct Layout: Codable, FlagProtocol { var columns: Int }
/// ```
///
/// The requirements are those of RealFlags' protocol of the same name.
public protocol FlagProtocol: Sendable {
    /// Reads a stored value; `nil` if the value is not of this type, so that it is reported as *broken*.
    ///
    /// - Parameter value: The value that a provider holds.
    init?(encoded value: FlagValue)

    /// Returns the form in which the value is stored.
    ///
    /// - Returns: The stored form.
    /// - Throws: An error if the value has none.
    func encoded() throws(FlagValueError) -> FlagValue

    /// The type in a manifest; `nil` derives it from the stored form of the flag's default.
    ///
    /// A type with its own ``encoded()`` returns its stored form's type here. Otherwise, a manifest leaves out flags
    /// whose default is `nil`.
    static var flagType: FlagType? { get }

    /// The layout in a manifest if ``flagType`` has several; `nil` for none.
    static var flagStorage: FlagStorage? { get }

    /// The constraints in a manifest.
    static var flagConstraints: FlagConstraints { get }

    /// The expected values, for a message after "expected".
    static var flagExpectation: String { get }
}

extension FlagProtocol {
    /// Unknown: derived from the stored form of the flag's default.
    public static var flagType: FlagType? { nil }

    /// None: values keep their layout.
    public static var flagStorage: FlagStorage? { nil }

    /// No constraints.
    public static var flagConstraints: FlagConstraints { FlagConstraints() }

    /// The expectation of type and constraints, such as "text"; for JSON and unknown types with the name of the Swift
    /// type.
    public static var flagExpectation: String {
        switch flagType {
        case .json: "JSON of a \(Self.self)"
        case let type?: FlagSchema(type: type, constraints: flagConstraints).expectation
        case nil: "a value of the type \(Self.self)"
        }
    }

    /// Reads a stored value.
    ///
    /// - Throws: An error with the value found and the one expected.
    @inlinable
    public static func decode(_ stored: FlagValue) throws(FlagValueError) -> Self {
        guard stored.brokenPart == nil, let value = Self(encoded: stored) else {
            throw stored.mismatch(wanted: flagExpectation)
        }
        return value
    }
}

extension FlagValue: FlagProtocol {
    /// The value itself.
    public init(encoded value: FlagValue) {
        self = value
    }

    /// The value itself.
    public func encoded() -> FlagValue { self }

    /// Unknown: a value of any kind.
    public static var flagType: FlagType? { nil }

    /// None.
    public static var flagStorage: FlagStorage? { nil }

    /// A value of any kind.
    public static var flagExpectation: String { "a value of any kind" }
}
