import Foundation

/// A JSON object as values nested by key path, for providers that get JSON from elsewhere; what a property list can't store of it is
/// kept for the types that read JSON of their own.
package struct JSONFlagValues: Sendable {
    private let json: JSONValue
    /// The values as a provider stores them: without the `null`s, which are no values; what can't do without one, such as an array
    /// that holds one, and an integer that is too long, is data of JSON text.
    package let entries: [String: FlagValue]

    /// No values.
    package init() { (json, entries) = (.object([:]), [:]) }

    /// Takes over an object; `nil` where there is none.
    package init?(_ document: JSONValue, at group: [String] = []) {
        guard let json = document.descendant(at: group), case .dictionary(let entries) = json.held else { return nil }
        (self.json, self.entries) = (json, entries)
    }

    /// The value of a type that reads JSON of its own, with its `null`s and every digit.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where there is no JSON that the type can read, or the type has another form.
    package func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) -> Value? {
        guard type.flagType == .json, let text = json.descendant(at: key.components)?.text(indent: nil) else {
            return nil
        }
        return Value(encoded: .data(Data(text.utf8)))
    }

    /// The key paths at which two objects differ, as JSON.
    package func differences(from other: JSONFlagValues) -> [FlagKeyPath] {
        json == other.json ? [] : json.marked.differences(from: other.json.marked)
    }
}

extension JSONValue {
    /// The value below keys and indices; `nil` where there is none.
    fileprivate func descendant(at path: [String]) -> JSONValue? {
        path.reduce(self) { value, key in value?.child(key) }
    }

    /// The value with something else for what no property list can hold, so that two differ where the JSON does.
    fileprivate var marked: FlagValue {
        switch self {
        case .scalar(let value): value
        case .object(let entries): .dictionary(entries.mapValues(\.marked))
        case .array(let values): .array(values.map(\.marked))
        case .null, .unsupported, .longInteger: .data(Data(text(indent: nil).utf8))
        }
    }

    /// The value without its `null`s; what can't do without them, such as an array that holds one, is data of JSON text.
    fileprivate var held: FlagValue? {
        switch self {
        case .null, .unsupported: return nil
        case .scalar(let value): return value
        case .object(let entries): return .dictionary(entries.compactMapValues(\.held))
        case .array(let values):
            let held = values.compactMap(\.held)
            if held.count == values.count { return .array(held) }
        case .longInteger: break
        }
        return .data(Data(text(indent: nil).utf8))
    }
}
