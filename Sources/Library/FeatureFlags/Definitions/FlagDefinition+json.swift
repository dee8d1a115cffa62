extension FlagDefinition {
    /// Takes a value as JSON tells it as a value to store for this flag.
    ///
    /// - Parameters:
    ///   - json: The JSON. Dates are ISO 8601 text, data is base64 text, and a number that JSON has no form for is its name
    ///     (`nan`, `inf`); apart from these, text is no number and no boolean. JSON has one kind of number, so that `2.0` is
    ///     a whole one.
    ///   - current: The value stored now. Where JSON can't tell two kinds apart, a part keeps its kind, and a new one takes
    ///     that of its siblings.
    ///   - former: A value whose layout counts where none is stored now: one that was stored before, or is elsewhere.
    /// - Returns: The value in the form in which it is stored, in the layout that ``storage`` says.
    /// - Throws: What was found and what is wanted.
    package func parse(
        json: JSONValue, replacing current: FlagValue? = nil, storedLike former: FlagValue? = nil
    ) throws(FlagValueError) -> FlagValue {
        let layout = layout(replacing: current, like: former)
        if let current, isLaidOut(current, as: layout), says(json, current), (try? interpret(current)) != nil {
            return current
        }
        let value = try storedForm(json, current, former, layout)
        _ = try interpret(value)
        return value
    }

    /// Whether JSON tells just what is stored.
    private func says(_ json: JSONValue, _ current: FlagValue) -> Bool {
        if type == .json, let document = FlagJSON.document(in: current) { return json == document }
        return json.stored?.keepingKinds(of: current) == current
    }

    private func storedForm(
        _ json: JSONValue, _ current: FlagValue?, _ former: FlagValue?, _ layout: FlagStorage?
    ) throws(FlagValueError) -> FlagValue {
        if type == .json { return try stored(json, as: layout, replacing: current) }
        if let problem = json.storageProblem(at: []) { throw problem }
        guard let json = json.stored else { throw FlagValueError("a property list can't store the value") }
        switch (type, json) {
        case (.date, .string(let text)), (.data, .string(let text)), (.url, .string(let text)):
            return try parse(text, replacing: current, storedLike: former)
        case (.double, .string(let text)):
            guard let number = FlagNumber.parse(text), !number.isFinite else { throw mismatch(json) }
            return .double(number)
        case (.double, .integer(let number)): return .double(Double(number))
        case (.integer, .double(let number)):
            guard let whole = FlagNumber.exactWhole(number) else { throw mismatch(json) }
            return .integer(whole)
        case (.choice, _): return constraints.choices.first { json.keepingKinds(of: $0) == $0 } ?? json
        case (.array, .array), (.dictionary, .dictionary): return json.keepingKinds(of: current ?? defaultValue)
        case (.bool, .bool), (.integer, .integer), (.double, .double), (.string, .string): return json
        default: throw mismatch(json)
        }
    }

    private func mismatch(_ json: FlagValue) -> FlagValueError {
        FlagValueError("found \(json.briefDescription), wanted \(expectation)")
    }
}
