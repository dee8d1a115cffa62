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
            try checkRange(Double(number), shown: String(number))
        case (.double, .double(let number)):
            try checkRange(number, shown: "\(number)")
        case (.string, .string(let text)):
            try checkPattern(text)
        case (.url, .string(let text)):
            guard !text.isEmpty, URL(string: text, encodingInvalidCharacters: false) != nil else {
                throw FlagValueProblem("\"\(text)\" is not a URL; one looks like https://example.com/path")
            }
            try checkPattern(text)
        default:
            break
        }
    }

    private func checkRange(_ number: Double, shown: String) throws(FlagValueProblem) {
        if let minimum = constraints.minimum, !(number >= minimum) {
            throw FlagValueProblem("\(shown) is too small: the least allowed is \(FlagNumber.text(minimum))")
        }
        if let maximum = constraints.maximum, !(number <= maximum) {
            throw FlagValueProblem("\(shown) is too large: the most allowed is \(FlagNumber.text(maximum))")
        }
    }

    private func checkPattern(_ text: String) throws(FlagValueProblem) {
        guard let pattern = constraints.pattern else { return }
        let range = NSRange(location: 0, length: text.utf16.count)
        do {
            let expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
            guard expression.firstMatch(in: text, range: range) != nil else {
                throw FlagValueProblem("\"\(text)\" does not match the pattern \(pattern)")
            }
        } catch let problem as FlagValueProblem {
            throw problem
        } catch {
            throw FlagValueProblem(
                "the definition's pattern \(pattern) is not a regular expression: correct the manifest")
        }
    }
}
