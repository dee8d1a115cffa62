extension FlagDefinition {
    /// Converts JSON to a value to store for this flag, in the layout given by ``storage``.
    ///
    /// Dates are ISO 8601 text, data is base64 text, and a number that JSON can't express is its name (`nan`, `inf`).
    /// `2.0` is a whole number. Where JSON can't distinguish two kinds, a part keeps its kind in `current`, and a new
    /// part takes that of its siblings. `former` gives the layout when no value is stored now.
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

    private func says(_ json: JSONValue, _ current: FlagValue) -> Bool {
        if type.rules.form == .document, let document = FlagJSON.document(in: current) { return json == document }
        return json.stored?.keepingKinds(of: current) == current
    }

    private func storedForm(
        _ json: JSONValue, _ current: FlagValue?, _ former: FlagValue?, _ layout: FlagStorage?
    ) throws(FlagValueError) -> FlagValue {
        let rules = type.rules
        if rules.form == .document { return try stored(json, as: layout, replacing: current) }
        let json = try FlagJSON.value(schema.storable(json))
        switch (type, json) {
        case (_, .string(let text)) where rules.isText:
            return try parse(text, replacing: current, storedLike: former)
        case _ where rules.form == .choice:
            let kept = constraints.choices.first { json.keepingKinds(of: $0) == $0 }
            guard let choice = kept ?? constraints.choice(inJSON: JSONValue(json)) else {
                throw schema.noChoice(json.briefDescription)
            }
            return choice
        case (.array, .array), (.dictionary, .dictionary):
            return schema.holding(json.keepingKinds(of: current ?? defaultValue))
        default:
            guard rules.form == .single, let value = rules.readJSON(schema.holding(json)) else { throw mismatch(json) }
            return value
        }
    }

    private func mismatch(_ json: FlagValue) -> FlagValueError {
        FlagValueError(of: json, expected: expectation)
    }
}
