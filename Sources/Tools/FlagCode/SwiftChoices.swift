import FeatureFlags

/// The choices of a flag as the cases of an enum.
struct SwiftChoices {
    let names: [(value: FlagValue, name: String)]

    init(_ choices: [FlagValue]) {
        var scope = SwiftNames(reserved: [
            "rawValue", "allCases", "encoded", "decode", "flagType", "flagStorage", "flagConstraints",
            "flagExpectation",
            "hash", "hashValue", "none", "some",
        ])
        names = choices.map { choice in
            let text =
                switch choice {
                case .string(let text): text
                case .integer(let whole): whole < 0 ? "minus \(-whole)" : "\(whole)"
                default: choice.briefDescription
                }
            return (choice, scope.property(text, fallback: "value"))
        }
    }

    /// `access` ends with a space, or is empty.
    func declaration(_ name: String, access: String) -> [String] {
        if let (raw, literals) = rawValues {
            let cases = zip(names, literals).map { "    case \(SwiftNames.quoted($0.name)) = \($1)" }
            return ["\(access)enum \(name): \(raw), CaseIterable, FlagProtocol {"] + cases + ["}"]
        }
        // Choices of several types have no raw type in Swift.
        return ["\(access)enum \(name): CaseIterable, RawRepresentable, FlagProtocol {"]
            + names.map { "    case \(SwiftNames.quoted($0.name))" }
            + [
                "", "    \(access)init?(rawValue: FlagValue) {",
                "        guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }",
                "        self = found", "    }", "", "    \(access)var rawValue: FlagValue {", "        switch self {",
            ]
            + names.map { "        case .\(SwiftNames.quoted($0.name)): \(SwiftText.value($0.value))" }
            + ["        }", "    }", "}"]
    }

    /// The raw type of an enum and its literals; `nil` for choices that no raw type has.
    private var rawValues: (type: String, literals: [String])? {
        let texts = names.compactMap { if case .string(let text) = $0.value { text } else { nil } }
        if Set(texts).count == names.count { return ("String", texts.map(SwiftText.literal)) }
        let wholes = names.compactMap { if case .integer(let whole) = $0.value { whole } else { nil } }
        if wholes.count == names.count {
            let type = wholes.allSatisfy { Int(exactly: $0) != nil } ? "Int" : "UInt64"
            return type == "Int" || wholes.allSatisfy { $0 >= 0 } ? (type, wholes.map { "\($0)" }) : nil
        }
        let numbers = names.compactMap { choice -> Double? in
            switch choice.value {
            case .double(let number): number.isFinite ? number : nil
            case .integer(let whole): Double(whole)
            default: nil
            }
        }
        return Set(numbers).count == names.count ? ("Double", numbers.map(SwiftText.number)) : nil
    }
}
