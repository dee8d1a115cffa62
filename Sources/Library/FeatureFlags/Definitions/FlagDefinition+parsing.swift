import Foundation

extension FlagDefinition {
    /// Reads what a person typed, in a form or on a command line, as a value to store for this flag.
    ///
    /// - Parameters:
    ///   - text: The text. A date may lack seconds and zone (UTC then); data is base64; arrays, dictionaries and JSON are JSON; a choice is the text that
    ///     ``FlagDefinition/editableText(of:)`` gives for it.
    ///   - current: The value stored now, which is returned where `text` is its editable text and it is valid. Where JSON
    ///     can't tell two kinds apart (a whole `real` from an `integer`, a date or data from a string), a part keeps its
    ///     kind, and a new one takes that of its siblings.
    ///   - former: A value whose layout counts where none is stored now: one that was stored before, or is elsewhere.
    /// - Returns: The value in the form in which it is stored, in the layout that ``storage`` says.
    /// - Throws: What is wrong with the text, and what would be right.
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
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch type {
        case .bool:
            switch trimmed {
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: throw invalid(text)
            }
        case .integer:
            guard let number = Int128(trimmed), FlagValue.integerRange.contains(number) else { throw invalid(text) }
            return .integer(number)
        case .double:
            guard let number = FlagNumber.parse(trimmed) else { throw invalid(text) }
            return .double(number)
        case .string:
            return .string(text)
        case .url:
            return .string(trimmed)
        case .date:
            guard let date = FlagDate.ofAnyYear(FlagDate.completed(trimmed)) else { throw invalid(text) }
            return try stored(date, as: layout)
        case .data:
            // Bytes in hexadecimal would be taken for base64 of other bytes.
            if trimmed.wholeMatch(of: /[0-9A-Fa-f]{2}(\s+[0-9A-Fa-f]{2})+/) != nil {
                throw FlagValueError("this looks like bytes in hexadecimal; wanted \(expectation)")
            }
            let signs = trimmed.filter { !$0.isWhitespace }
            // Foundation also takes padding that completes nothing.
            guard signs.utf8.count.isMultiple(of: 4), let data = Data(base64Encoded: signs) else { throw invalid(text) }
            return .data(data)
        case .choice:
            guard let choice = constraints.choices.first(where: { editableText(of: $0) == text }) else {
                try check(.string(text))
                throw invalid(text)
            }
            return choice
        case .array, .dictionary:
            return try structured(text, current)
        case .json:
            return try stored(JSONReader.value(text.utf8), as: layout, replacing: current)
        }
    }

    private func structured(_ text: String, _ current: FlagValue?) throws(FlagValueError) -> FlagValue {
        let value = try FlagJSON.value(text).keepingKinds(of: current ?? defaultValue)
        switch (type, value) {
        case (.array, .array), (.dictionary, .dictionary): return value
        default: throw FlagValueError("found \(value.briefDescription), wanted \(expectation)")
        }
    }

    private func invalid(_ text: String) -> FlagValueError {
        text.allSatisfy(\.isWhitespace)
            ? FlagValueError("nothing is typed; wanted \(expectation)")
            : FlagValueError("\(text.quotedOrCounted) is not \(expectation)")
    }

    /// How long JSON may be that is laid out over many lines, in bytes: a browser takes seconds for longer ones.
    private static let longestLayout = 100_000

    /// The text to put into an editor for a value, such that ``parse(_:replacing:storedLike:)`` reads it back.
    ///
    /// Long JSON stands on one line.
    ///
    /// - Parameter value: A stored value, of this flag's type or not.
    /// - Returns: The text.
    public func editableText(of value: FlagValue) -> String {
        switch value {
        case .data(let data) where type != .json: return data.base64EncodedString()
        case .data, .array, .dictionary:
            let text = FlagJSON.text(value)
            return text.utf8.count > Self.longestLayout ? FlagJSON.line(value) : text
        default: return value.shownText
        }
    }
}

extension FlagValue {
    /// The value as text, without its kind: data as the JSON that it holds, else as base64.
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
