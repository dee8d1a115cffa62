import Foundation

extension FlagDefinition {
    /// Checks a value of the flag's type against the flag's constraints.
    ///
    /// - Parameter value: A value in the form of the flag's type.
    /// - Throws: Which constraint fails, and what would satisfy it.
    public func check(_ value: FlagValue) throws(FlagValueProblem) {
        switch (type, value) {
        case (.choice, _):
            guard constraints.choices.contains(value) else {
                let choices = constraints.choices.map(\.briefDescription).joined(separator: ", ")
                throw FlagValueProblem("\(value.briefDescription) is not one of the choices: \(choices)")
            }
        case (.integer, .integer(let number)):
            try checkRange(of: number)
        case (.double, .double(let number)):
            try checkRange(of: number)
        case (.string, .string(let text)):
            try checkPattern(text)
        case (.url, .string(let text)):
            guard !text.isEmpty, URL(string: text, encodingInvalidCharacters: false) != nil else {
                let hint =
                    text.utf8.contains { $0 >= 0x80 }
                    ? ", and letters such as ä are written %C3%A4, in a host xn--…" : ""
                throw FlagValueProblem(
                    "\(Self.shown(text)) is not a URL; one looks like https://example.com/path\(hint)")
            }
            try checkPattern(text)
        default:
            break
        }
    }

    private func checkRange(of number: Double) throws(FlagValueProblem) {
        if number.isNaN, constraints.minimum != nil || constraints.maximum != nil {
            throw FlagValueProblem("nan is not \(expectation)")
        }
        if let minimum = constraints.minimum, number < minimum.double {
            throw tooSmall(FlagNumber.text(number), minimum)
        }
        if let maximum = constraints.maximum, number > maximum.double {
            throw tooLarge(FlagNumber.text(number), maximum)
        }
    }

    private func checkRange(of number: Int128) throws(FlagValueProblem) {
        if let minimum = constraints.minimum, minimum.isNaN || FlagLimit(number) < minimum {
            throw tooSmall(String(number), minimum)
        }
        if let maximum = constraints.maximum, maximum.isNaN || FlagLimit(number) > maximum {
            throw tooLarge(String(number), maximum)
        }
    }

    private func tooSmall(_ number: String, _ minimum: FlagLimit) -> FlagValueProblem {
        FlagValueProblem("\(number) is too small: the least allowed is \(minimum.text)")
    }

    private func tooLarge(_ number: String, _ maximum: FlagLimit) -> FlagValueProblem {
        FlagValueProblem("\(number) is too large: the most allowed is \(maximum.text)")
    }

    /// A text as messages quote it.
    package static func shown(_ text: String) -> String {
        text.count <= 60 ? "\"\(text)\"" : "a text of \(text.count) characters"
    }

    private func checkPattern(_ text: String) throws(FlagValueProblem) {
        guard let pattern = constraints.pattern else { return }
        guard let expression = FlagConstraints.expression(pattern) else {
            throw FlagValueProblem(
                "the definition's pattern \(pattern) is not a regular expression: correct the manifest")
        }
        switch expression.matches(text) {
        case true?: break
        case false?: throw FlagValueProblem("\(Self.shown(text)) as a whole does not match the pattern \(pattern)")
        case nil:
            throw FlagValueProblem(
                "the pattern \(pattern) takes too many steps on \(Self.shown(text)): simplify it in the manifest")
        }
    }
}

extension NSRegularExpression {
    /// Whether the expression matches; `nil` where that takes many more steps than the text is long, as `(a+)+b` does.
    fileprivate func matches(_ text: String) -> Bool? {
        let length = text.utf16.count
        var (matches, reports) = (false, 0)
        let limit = 1000 + length / 1000
        enumerateMatches(in: text, options: .reportProgress, range: NSRange(location: 0, length: length)) {
            match, _, stop in
            matches = matches || match != nil
            reports += 1
            if matches || reports > limit { stop.pointee = true }
        }
        return !matches && reports > limit ? nil : matches
    }
}

extension FlagConstraints {
    /// The regular expression that a whole text has to match.
    ///
    /// - Parameter pattern: What ``pattern`` says.
    /// - Returns: `nil` where it is no regular expression, alone and inside of what anchors it.
    package static func expression(_ pattern: String) -> NSRegularExpression? {
        // Alone first: `a)|(b` becomes one only between the parentheses.
        guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        return try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }
}
