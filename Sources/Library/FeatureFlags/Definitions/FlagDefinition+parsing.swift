import Foundation

extension FlagDefinition {
    /// Parses text from a form or a command line as a value to store for this flag, in the layout given by ``storage``.
    ///
    /// - Parameters:
    ///   - text: The text. A date may lack seconds and zone (then UTC); data is base64; arrays, dictionaries and JSON
    ///     are JSON; a choice is its ``FlagDefinition/editableText(of:)``.
    ///   - current: The value stored now, returned as it is if valid and `text` is its editable text. Where JSON can't
    ///     distinguish two kinds (a whole `real` and an `integer`, a date or data and a string), a part keeps its kind,
    ///     and a new part takes that of its siblings.
    ///   - former: A value that gives the layout when none is stored now.
    /// - Returns: The value in its stored form.
    /// - Throws: An error that explains the fault in the text and what is expected.
    public func parse(
        _ text: String, replacing current: FlagValue? = nil, storedLike former: FlagValue? = nil
    ) throws(FlagValueError) -> FlagValue {
        let layout = layout(replacing: current, like: former)
        if let current, isLaidOut(current, as: layout), text == editableText(of: current),
            (try? interpret(current)) != nil
        {
            return current
        }
        let value = try storedForm(text, current, layout)
        _ = try interpret(value)
        return value
    }

    private func storedForm(
        _ text: String, _ current: FlagValue?, _ layout: FlagStorage?
    ) throws(FlagValueError) -> FlagValue {
        switch type.rules.form {
        case .choice:
            guard let choice = constraints.choice(inText: text, shown: editableText) else {
                throw schema.noChoice(FlagValue.string(text).briefDescription)
            }
            return choice
        case .parts:
            return try structured(text, current)
        case .document:
            return try stored(JSONReader.value(text.utf8), as: layout, replacing: current)
        case .single:
            guard let value = try type.rules.parse(text) else { throw invalid(text) }
            if case .date(let date) = value { return try stored(date, as: layout) }
            return value
        }
    }

    private func structured(_ text: String, _ current: FlagValue?) throws(FlagValueError) -> FlagValue {
        let json = try schema.storable(FlagJSON.document(text))
        let value = schema.holding(try FlagJSON.value(json).keepingKinds(of: current ?? defaultValue))
        switch (type, value) {
        case (.array, .array), (.dictionary, .dictionary): return value
        default: throw FlagValueError(of: value, expected: expectation)
        }
    }

    private func invalid(_ text: String) -> FlagValueError {
        if text.allSatisfy(\.isWhitespace) { return FlagValueError("enter \(expectation)") }
        let meant = type.rules.hasBounds ? FlagNumber.readings(of: text.trimmed).filter(isAccepted) : []
        let question = meant.isEmpty ? "" : "; did you mean \(meant.joined(separator: " or "))?"
        return FlagValueError("enter \(expectation)\(question)", of: text.quotedOrCounted)
    }

    private func isAccepted(_ text: String) -> Bool {
        do {
            return try type.rules.parse(text).map(interpret) != nil
        } catch {
            return false
        }
    }

    /// The longest JSON to lay out over many lines, in bytes: a browser takes seconds for more.
    private static let longestLayout = 100_000

    /// Returns the editable text for a value, which ``parse(_:replacing:storedLike:)`` reads back.
    ///
    /// Long JSON is on one line.
    ///
    /// - Parameter value: A stored value, of this flag's type or not.
    /// - Returns: The text.
    public func editableText(of value: FlagValue) -> String {
        switch value {
        case .data(let data) where type.rules.form != .document: return data.base64EncodedString()
        case .data, .array, .dictionary:
            let text = FlagJSON.text(value)
            return text.utf8.count > Self.longestLayout ? FlagJSON.line(value) : text
        default: return value.shownText
        }
    }
}

extension FlagValue {
    /// The value without its kind; data as the JSON in it, else as base64.
    var shownText: String {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): FlagNumber.text(value)
        case .string(let value): value
        case .date(let value): FlagDate.text(value)
        case .data, .array, .dictionary: FlagJSON.text(self)
        case .broken(let value): value.text
        }
    }
}
