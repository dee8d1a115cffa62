/// Enums and other types with a raw value, which is stored.
extension FlagProtocol where Self: RawRepresentable, RawValue: FlagProtocol {
    /// Reads the raw value.
    public init?(encoded value: FlagValue) { self.init(storedAs: value) }

    /// The stored form of the raw value.
    public func encoded() throws(FlagValueError) -> FlagValue { try rawValue.encoded() }

    /// The raw value's type.
    public static var flagType: FlagType? { RawValue.flagType }

    /// The raw value's constraints.
    public static var flagConstraints: FlagConstraints { RawValue.flagConstraints }

    /// The raw value's expectation.
    public static var flagExpectation: String { expectationOfRawValue }
}

/// Enums that list their cases: a choice among them.
extension FlagProtocol where Self: RawRepresentable & CaseIterable, RawValue: FlagProtocol {
    /// A choice.
    public static var flagType: FlagType? { .choice }

    /// The stored forms of the cases.
    public static var flagConstraints: FlagConstraints { FlagConstraints(choices: storedCases) }

    /// The stored forms of the cases.
    public static var flagExpectation: String { expectationOfCases }

    fileprivate static var expectationOfCases: String {
        FlagSchema(type: .choice, constraints: FlagConstraints(choices: storedCases)).expectation
    }

    /// Cases without a stored form are left out.
    fileprivate static var storedCases: [FlagValue] {
        allCases.compactMap { choice in
            do throws(FlagValueError) { return try choice.encoded() } catch { return nil }
        }
    }
}

/// `Codable` enums, stored as their raw value as in RealFlags.
extension FlagProtocol where Self: RawRepresentable & Codable, RawValue: FlagProtocol {
    /// Reads the raw value.
    public init?(encoded value: FlagValue) { self.init(storedAs: value) }

    /// The stored form of the raw value.
    public func encoded() throws(FlagValueError) -> FlagValue { try rawValue.encoded() }

    /// The raw value's type.
    public static var flagType: FlagType? { RawValue.flagType }

    /// The raw value's expectation.
    public static var flagExpectation: String { expectationOfRawValue }
}

extension FlagProtocol where Self: RawRepresentable & Codable & CaseIterable, RawValue: FlagProtocol {
    /// A choice.
    public static var flagType: FlagType? { .choice }

    /// The stored forms of the cases.
    public static var flagExpectation: String { expectationOfCases }
}

// A `Codable` enum would have two sets of defaults: those above repeat one of them to take precedence.
extension RawRepresentable where RawValue: FlagProtocol {
    fileprivate init?(storedAs value: FlagValue) {
        guard let rawValue = RawValue(encoded: value) else { return nil }
        self.init(rawValue: rawValue)
    }

    fileprivate static var expectationOfRawValue: String {
        "the raw value of a \(Self.self), \(RawValue.flagExpectation)"
    }
}
