import Foundation

extension FlagDefinition {
    /// Takes a value as JSON tells it as a value to store for this flag.
    ///
    /// - Parameters:
    ///   - json: What ``FlagJSON/value(_:)`` read. Dates are ISO 8601 text, data is base64 text, be it data that holds
    ///     JSON, and a number that JSON has no form for is its name (`nan`, `inf`); apart from these, text is no number and
    ///     no boolean. JSON has one kind of number, so that `2.0` is a whole one.
    ///   - current: The value stored now. Where JSON can't tell two kinds apart, a part that reads the same keeps its kind.
    /// - Returns: The value in the form in which it is stored.
    /// - Throws: What was found and what is wanted.
    package func parse(json: FlagValue, replacing current: FlagValue? = nil) throws(FlagValueProblem) -> FlagValue {
        if let current, json.keepingKinds(of: current) == current, (try? interpret(current)) != nil { return current }
        let value = try storedForm(json, current)
        _ = try interpret(value)
        return value
    }

    private func storedForm(_ json: FlagValue, _ current: FlagValue?) throws(FlagValueProblem) -> FlagValue {
        switch (type, json) {
        case (.date, .string(let text)), (.data, .string(let text)), (.url, .string(let text)):
            return try parse(text, replacing: current)
        case (.double, .string(let text)):
            guard let number = FlagNumber.parse(text), !number.isFinite else { throw mismatch(json) }
            return .double(number)
        case (.double, .integer(let number)): return .double(Double(number))
        case (.integer, .double(let number)):
            guard let whole = FlagNumber.exactWhole(number) else { throw mismatch(json) }
            return .integer(whole)
        case (.choice, _): return constraints.choices.first { json.keepingKinds(of: $0) == $0 } ?? json
        case (.json, .string(let text)):
            guard let data = Data(base64Encoded: text), case .success = Result(catching: { try JSONReader.value(data) })
            else { throw mismatch(json) }
            return .data(data)
        case (.json, .array), (.json, .dictionary):
            guard case .data = current else { return json.keepingKinds(of: current) }
            return .data(Data(JSONValue(json).text(indent: nil).utf8))
        case (.array, .array), (.dictionary, .dictionary): return json.keepingKinds(of: current)
        case (.bool, .bool), (.integer, .integer), (.double, .double), (.string, .string): return json
        default: throw mismatch(json)
        }
    }

    private func mismatch(_ json: FlagValue) -> FlagValueProblem {
        FlagValueProblem("found \(json.briefDescription), wanted \(expectation)")
    }
}
