import Foundation

extension FlagDefinition {
    /// Checks a value of the flag's type against the flag's constraints.
    ///
    /// - Parameter value: A value in the form of the flag's type.
    /// - Throws: An error with the constraint that fails and what would satisfy it.
    public func check(_ value: FlagValue) throws(FlagValueError) {
        try check(value, .full)
    }

    func check(_ value: FlagValue, _ effort: PatternVerdicts.Effort) throws(FlagValueError) {
        let rules = type.rules
        switch (type, value) {
        case (.choice, _):
            guard constraints.choices.contains(value) else {
                let choices = constraints.choices.map(\.briefDescription).joined(separator: ", ")
                throw FlagValueError("\(value.briefDescription) is not one of the choices: \(choices)")
            }
        case (_, .integer(let number)) where rules.hasBounds:
            try checkRange(of: number)
        case (_, .double(let number)) where rules.hasBounds:
            try checkRange(of: number)
        case (.url, .string(let text)):
            guard !text.isEmpty, URL(string: text, encodingInvalidCharacters: false) != nil else {
                let hint =
                    text.utf8.contains { $0 >= 0x80 }
                    ? ", and letters such as ä are written %C3%A4, in a host xn--…" : ""
                throw FlagValueError(
                    "\(text.quotedOrCounted) is not a URL; one looks like https://example.com/path\(hint)")
            }
            try checkPattern(text, effort)
        case (_, .string(let text)) where rules.hasPattern:
            try checkPattern(text, effort)
        default:
            break
        }
    }

    private func checkRange(of number: Double) throws(FlagValueError) {
        if number.isNaN, constraints.minimum != nil || constraints.maximum != nil {
            throw FlagValueError("nan is not \(expectation)")
        }
        if let minimum = constraints.minimum, number < minimum.double {
            throw tooSmall(FlagNumber.text(number), minimum)
        }
        if let maximum = constraints.maximum, number > maximum.double {
            throw tooLarge(FlagNumber.text(number), maximum)
        }
    }

    private func checkRange(of number: Int128) throws(FlagValueError) {
        if let minimum = constraints.minimum, minimum.isNaN || FlagLimit(number) < minimum {
            throw tooSmall(String(number), minimum)
        }
        if let maximum = constraints.maximum, maximum.isNaN || FlagLimit(number) > maximum {
            throw tooLarge(String(number), maximum)
        }
    }

    private func tooSmall(_ number: String, _ minimum: FlagLimit) -> FlagValueError {
        FlagValueError("\(number) is too small: the least allowed is \(minimum.text)")
    }

    private func tooLarge(_ number: String, _ maximum: FlagLimit) -> FlagValueError {
        FlagValueError("\(number) is too large: the most allowed is \(maximum.text)")
    }

    private func checkPattern(_ text: String, _ effort: PatternVerdicts.Effort) throws(FlagValueError) {
        guard let pattern = constraints.pattern else { return }
        switch PatternVerdicts.shared.verdict(on: text, pattern: pattern, effort: effort) {
        case .matches: break
        case .differs: throw FlagValueError("\(text.quotedOrCounted) as a whole does not match the pattern \(pattern)")
        case .undecided:
            throw FlagValueError(
                "the pattern \(pattern) takes too long on \(text.quotedOrCounted), so the value could not be checked: "
                    + "simplify the pattern in the manifest",
                isUnchecked: true)
        case nil:
            throw FlagValueError(
                "the definition's pattern \(pattern) is not a regular expression: correct the manifest")
        }
    }
}

extension FlagConstraints {
    /// Returns a regular expression that matches a whole text; `nil` for an invalid pattern.
    package static func expression(_ pattern: String) -> NSRegularExpression? {
        // Checked alone first: `a)|(b` is valid only between the parentheses.
        guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        return try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }
}
