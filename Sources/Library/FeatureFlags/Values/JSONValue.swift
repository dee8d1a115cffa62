import Foundation

package enum JSONValue: Hashable, Sendable {
    case null
    /// A Boolean, a number or a string.
    case scalar(FlagValue)
    case array([JSONValue])
    case object([String: JSONValue])
    /// An integer outside ``FlagValue/integerRange``, with all its digits.
    case longInteger(String)
    /// The name of a Swift type that JSON can't express.
    case unsupported(String)

    /// Dates become ISO 8601 text, data base64 text, and a broken value its own text.
    package init(_ stored: FlagValue) {
        switch stored {
        case .array(let values): self = .array(values.map(JSONValue.init))
        case .dictionary(let entries): self = .object(entries.mapValues(JSONValue.init))
        case .date(let date): self = .scalar(.string(FlagDate.text(date)))
        case .data(let data): self = .scalar(.string(data.base64EncodedString()))
        case .broken(let value): self = .scalar(.string(value.text))
        case .double(let number) where !number.isFinite: self = .scalar(.string(FlagNumber.text(number)))
        case .integer(let number) where !FlagValue.integerRange.contains(number):
            self = .scalar(.string(String(number)))
        default: self = .scalar(stored)
        }
    }

    /// Returns the value at a key, or at an index of an array.
    package func child(_ key: String) -> JSONValue? {
        switch self {
        case .object(let entries): entries[key]
        case .array(let values):
            Int(key).flatMap { values.indices.contains($0) && String($0) == key ? values[$0] : nil }
        default: nil
        }
    }

    /// The value for a property list; `nil` if that can't store it.
    package var stored: FlagValue? {
        switch self {
        case .null, .unsupported, .longInteger: return nil
        case .scalar(let value): return value
        case .array(let values):
            let stored = values.compactMap(\.stored)
            return stored.count == values.count ? .array(stored) : nil
        case .object(let entries):
            let stored = entries.compactMapValues(\.stored)
            return stored.count == entries.count ? .dictionary(stored) : nil
        }
    }

    /// `true` if the first part that a property list can't store is a `null`.
    var holdsNull: Bool {
        switch self {
        case .null: true
        case .scalar, .longInteger, .unsupported: false
        case .array(let values): values.first { $0.stored == nil }?.holdsNull ?? false
        case .object(let entries):
            entries.sorted { $0.key < $1.key }.first { $0.value.stored == nil }?.value.holdsNull ?? false
        }
    }

    package var briefDescription: String {
        switch self {
        case .null: "null"
        case .scalar(let value): value.briefDescription
        case .longInteger(let digits): "integer \(digits)"
        case .array(let values): FlagValue.description(ofArray: values.count)
        case .object(let entries): FlagValue.description(ofDictionary: entries.count)
        case .unsupported(let type): "a \(type)"
        }
    }

    /// The first part that JSON can't express.
    func problem(at path: [String]) -> FlagValueError? {
        switch self {
        case .unsupported: storageProblem(at: path)
        case .array(let values): values.enumerated().lazy.compactMap { $1.problem(at: path + [String($0)]) }.first
        case .object(let entries):
            entries.sorted { $0.key < $1.key }.lazy.compactMap { $1.problem(at: path + [$0]) }.first
        case .null, .scalar, .longInteger: nil
        }
    }

    /// The first part that a property list can't store, in the order of the keys.
    func storageProblem(at path: [String]) -> FlagValueError? {
        let place = path.isEmpty ? "the top level" : "/\(FlagKeyPath(components: path))"
        switch self {
        case .scalar: return nil
        case .null where path.isEmpty:
            return FlagValueError("null is not a value; to remove the value, reset the flag")
        case .null:
            return FlagValueError("null at \(place): a property list can't store null; remove the entry")
        case .longInteger(let digits):
            return FlagValueError(
                "\(digits) at \(place) is out of range for an integer (-9223372036854775808 to 18446744073709551615); "
                    + "write it in double quotes, or with a decimal point")
        case .unsupported(let type): return FlagValueError("a \(type) at \(place): JSON can't represent it")
        case .array(let values):
            return values.enumerated().lazy.compactMap { $1.storageProblem(at: path + [String($0)]) }.first
        case .object(let entries):
            return entries.sorted { $0.key < $1.key }.lazy
                .compactMap { $1.storageProblem(at: path + [$0]) }.first
        }
    }
}

extension FlagValue {
    /// Returns the words for an array of so many elements.
    static func description(ofArray count: Int) -> String { "an array of \(count) element\(count == 1 ? "" : "s")" }

    /// Returns the words for a dictionary of so many entries.
    static func description(ofDictionary count: Int) -> String {
        "a dictionary of \(count) \(count == 1 ? "entry" : "entries")"
    }
}
