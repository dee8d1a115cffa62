extension FlagConstraints {
    /// Returns the choice that an app reads from a stored value; `nil` for none.
    ///
    /// Choices that are numbers are read as flags of their type are: integers also from text, numbers with fractions
    /// also from integers and text.
    func choice(for stored: FlagValue) -> FlagValue? {
        choices.contains(stored)
            ? stored
            : number {
                stored.readAsInteger()
            } or: {
                stored.readAsDouble()
            }
    }

    /// Returns the choice that text from a form or a command line means; `nil` for none.
    func choice(inText text: String, shown: (FlagValue) -> String) -> FlagValue? {
        choices.first { shown($0) == text } ?? choice(for: .string(text.trimmed)).flatMap { $0.isNumber ? $0 : nil }
    }

    /// Returns the choice that a part of a JSON document means, which a decoder reads without converting texts to
    /// numbers; `nil` for none.
    func choice(inJSON json: JSONValue) -> FlagValue? {
        switch json {
        case .scalar(let value) where choices.contains(value): value
        case .scalar(.integer(let whole)):
            number {
                whole
            } or: {
                Double(whole)
            }
        case .scalar(.double(let double)):
            number {
                FlagNumber.exactWhole(double)
            } or: {
                double
            }
        case .longInteger(let digits):
            number {
                nil
            } or: {
                Double(digits)
            }
        default: nil
        }
    }

    /// The choice that equals a number: a whole one among integers, any one among numbers with fractions.
    private func number(_ whole: () -> Int128?, or double: () -> Double?) -> FlagValue? {
        guard choices.allSatisfy(\.isNumber) else { return nil }
        guard choices.contains(where: \.isReal) else {
            return whole().map(FlagValue.integer).flatMap { choices.contains($0) ? $0 : nil }
        }
        return double().flatMap { number in choices.first { $0.readAsDouble() == number } }
    }

    var choiceList: String {
        choices.map { choice in
            switch choice {
            case .string(let text) where !text.isEmpty && text.count <= 60: text
            case .integer(let number): String(number)
            case .double(let number): FlagNumber.text(number)
            default: choice.briefDescription
            }
        }.joined(separator: ", ")
    }
}

extension FlagValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .double: true
        default: false
        }
    }

    fileprivate var isReal: Bool { if case .double = self { true } else { false } }
}
