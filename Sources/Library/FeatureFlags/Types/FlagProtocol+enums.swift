/// Enums and other types with a raw value: stored as that.
extension FlagProtocol where Self: RawRepresentable, RawValue: FlagProtocol {
    /// Reads the raw value.
    public init?(encoded value: EncodedFlagValue) { self.init(storedAs: value) }

    /// The stored form of the raw value.
    public func encoded() throws(FlagValueError) -> EncodedFlagValue { try rawValue.encoded() }

    /// The raw value's.
    public static var flagType: FlagType? { RawValue.flagType }

    /// The raw value's.
    public static var flagExpectation: String { expectationOfRawValue }
}

/// Enums that list their cases: a choice among these.
extension FlagProtocol where Self: RawRepresentable & CaseIterable, RawValue: FlagProtocol {
    /// A choice.
    public static var flagType: FlagType? { .choice }

    /// The stored forms of the cases.
    public static var flagConstraints: FlagConstraints { FlagConstraints(choices: storedCases) }

    /// The stored forms of the cases.
    public static var flagExpectation: String { expectation(of: storedCases) }

    fileprivate static func expectation(of cases: [FlagValue]) -> String {
        "one of \(cases.map(\.briefDescription).joined(separator: ", "))"
    }

    /// A case that has no stored form can't be chosen.
    fileprivate static var storedCases: [FlagValue] {
        allCases.compactMap { choice in
            do throws(FlagValueError) { return try choice.encoded() } catch { return nil }
        }
    }
}

/// Enums that are `Codable` too: stored as their raw value, as RealFlags stores them.
extension FlagProtocol where Self: RawRepresentable & Codable, RawValue: FlagProtocol {
    /// Reads the raw value.
    public init?(encoded value: EncodedFlagValue) { self.init(storedAs: value) }

    /// The stored form of the raw value.
    public func encoded() throws(FlagValueError) -> EncodedFlagValue { try rawValue.encoded() }

    /// The raw value's.
    public static var flagType: FlagType? { RawValue.flagType }

    /// The raw value's.
    public static var flagExpectation: String { expectationOfRawValue }
}

extension FlagProtocol where Self: RawRepresentable & Codable & CaseIterable, RawValue: FlagProtocol {
    /// A choice.
    public static var flagType: FlagType? { .choice }

    /// The stored forms of the cases.
    public static var flagExpectation: String { expectation(of: storedCases) }
}

// Of the two sets of defaults that a `Codable` enum would have, the ones here say the same once more to be the nearer ones.
extension RawRepresentable where RawValue: FlagProtocol {
    fileprivate init?(storedAs value: FlagValue) {
        guard let rawValue = RawValue(encoded: value) else { return nil }
        self.init(rawValue: rawValue)
    }

    fileprivate static var expectationOfRawValue: String {
        "the raw value of a \(Self.self), \(RawValue.flagExpectation)"
    }
}
