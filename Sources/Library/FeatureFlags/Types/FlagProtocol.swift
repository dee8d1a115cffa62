/// A type that a flag's value can have.
///
/// Conforming are `Bool`, every width of `Int` and `UInt`, `Float`, `Double`, `String`, `URL`, `Date`, `Data`,
/// ``JSONData``, arrays and dictionaries of such, and the optional of each. An enum with raw values and any `Codable` type
/// conform by naming the protocol, without a line of code:
///
/// ```swift
/// enum RatingMode: String, CaseIterable, FlagProtocol { case never, atLaunch, afterPurchase }
/// struct Layout: Codable, FlagProtocol { var columns: Int }
/// ```
///
/// The requirements are those of RealFlags' protocol of the same name.
public protocol FlagProtocol: Sendable {
    /// Reads a stored value, or is `nil` where it is no value of this type: the provider's is then reported as *broken*.
    ///
    /// - Parameter value: What a provider holds.
    init?(encoded value: EncodedFlagValue)

    /// The form in which the value is stored.
    ///
    /// - Returns: The stored form.
    /// - Throws: Why the value has none.
    func encoded() throws(FlagValueError) -> EncodedFlagValue

    /// What a manifest says that the value is; `nil` takes it from the stored form of the flag's default.
    ///
    /// A type with an ``encoded()`` of its own says here what that gives, whether it is `Codable` or not: where the flag's default is
    /// `nil`, nothing else does, and a manifest leaves out a flag whose type nothing says.
    static var flagType: FlagType? { get }

    /// The layout that a manifest names for the values, where ``flagType`` has several; `nil` names none.
    static var flagStorage: FlagStorage? { get }

    /// What a manifest says that the value must satisfy beyond its type.
    static var flagConstraints: FlagConstraints { get }

    /// What a value looks like, to say in a message after "wanted".
    static var flagExpectation: String { get }
}

/// What a value is stored as; RealFlags' name for ``FlagValue``.
public typealias EncodedFlagValue = FlagValue

extension FlagProtocol {
    /// Unknown: a manifest takes it from the stored form of the flag's default.
    public static var flagType: FlagType? { nil }

    /// None: a value keeps the layout that it has or last had.
    public static var flagStorage: FlagStorage? { nil }

    /// None.
    public static var flagConstraints: FlagConstraints { FlagConstraints() }

    /// The type's words, such as "text"; of JSON, and where there is no type, also the name of the Swift type.
    public static var flagExpectation: String {
        switch flagType {
        case .json: "JSON of a \(Self.self)"
        case let type?: type.expectation
        case nil: "a value of the type \(Self.self)"
        }
    }

    /// Reads a stored value.
    ///
    /// - Parameter stored: What a provider holds.
    /// - Returns: The value.
    /// - Throws: What was found and what is wanted.
    public static func decode(_ stored: FlagValue) throws(FlagValueError) -> Self {
        guard stored.brokenPart == nil, let value = Self(encoded: stored) else {
            throw stored.mismatch(wanted: flagExpectation)
        }
        return value
    }
}

extension FlagValue: FlagProtocol {
    /// The value itself.
    public init(encoded value: EncodedFlagValue) {
        self = value
    }

    /// The value itself.
    public func encoded() -> EncodedFlagValue { self }

    /// Unknown: a value of any kind.
    public static var flagType: FlagType? { nil }

    /// None.
    public static var flagStorage: FlagStorage? { nil }

    /// A value of any kind.
    public static var flagExpectation: String { "a value of any kind" }
}
