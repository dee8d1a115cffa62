import Foundation

/// A JSON object as values nested by key path, for providers of JSON.
///
/// Parts that a property list can't store are kept for types that read JSON themselves.
package struct JSONFlagValues: Sendable {
    private let json: JSONValue
    /// The values to store, without `null`s.
    ///
    /// An array with a `null`, and an integer that is too long, become JSON data.
    package let entries: [String: FlagValue]

    package init() { (json, entries) = (.object([:]), [:]) }

    /// `nil` if there is no object at `group`.
    package init?(_ document: JSONValue, at group: [String] = []) {
        guard let json = document.descendant(at: group), case .dictionary(let entries) = json.held else { return nil }
        (self.json, self.entries) = (json, entries)
    }

    /// Returns the value of a type that reads JSON itself, with its `null`s and every digit; `nil` for other types.
    package func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) -> Value? {
        guard type.flagType == .json, let text = json.descendant(at: key.components)?.text(indent: nil) else {
            return nil
        }
        return Value(encoded: .data(Data(text.utf8)))
    }

    package func differences(from other: JSONFlagValues) -> [FlagKeyPath] {
        json == other.json ? [] : json.marked.differences(from: other.json.marked)
    }
}

extension JSONValue {
    /// Returns the value below keys and indices.
    fileprivate func descendant(at path: [String]) -> JSONValue? {
        path.reduce(self) { value, key in value?.child(key) }
    }

    /// The value with placeholders for what a property list can't hold, so that different JSON stays different.
    fileprivate var marked: FlagValue {
        switch self {
        case .scalar(let value): value
        case .object(let entries): .dictionary(entries.mapValues(\.marked))
        case .array(let values): .array(values.map(\.marked))
        case .null, .unsupported, .longInteger: .data(Data(text(indent: nil).utf8))
        }
    }

    /// The value without its `null`s; an array with a `null` becomes JSON data.
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
