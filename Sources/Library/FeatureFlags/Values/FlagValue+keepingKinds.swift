import Foundation

// JSON has no dates, no data and one kind of number, so the kinds come from the stored value.

extension FlagValue {
    /// Returns this value, read from JSON, with the kinds of its parts in `old`.
    ///
    /// An unedited entry keeps its kind, even if it moved in its array or dictionary, and so does an edited one. A new
    /// entry takes the kind of all its siblings, if it can be read as one.
    package func keepingKinds(of old: FlagValue?) -> FlagValue {
        switch (self, old) {
        case (.array(let values), .array(let oldValues)): .array(Self.keepingKinds(values, of: oldValues))
        case (.dictionary(let entries), .dictionary(let oldEntries)):
            .dictionary(Self.keepingKinds(entries, of: oldEntries))
        case (_, let old?): old.inJSON == inJSON && !isDouble ? old : read(as: old.kindOfText) ?? self
        case (_, nil): self
        }
    }

    private static func keepingKinds(_ values: [FlagValue], of old: [FlagValue]) -> [FlagValue] {
        let origins = FlagValueAlignment(from: old.map(\.inJSON), to: values.map(\.inJSON)).origins
        return zip(values, origins).map { value, origin in
            origin.map { value.keepingKinds(of: old[$0]) } ?? value.likeSiblings(old, leastForData: 1)
        }
    }

    private static func keepingKinds(
        _ entries: [String: FlagValue], of old: [String: FlagValue]
    ) -> [String: FlagValue] {
        let gone = removed(old.filter { entries[$0.key] == nil }.map { ($0.value.inJSON, $0.value) })
        return Dictionary(
            uniqueKeysWithValues: entries.map { key, value in
                if let known = old[key] { return (key, value.keepingKinds(of: known)) }
                let siblings = Array(old.values)
                return (
                    key, gone[value.inJSON].map(value.keepingKinds) ?? value.likeSiblings(siblings, leastForData: 2)
                )
            })
    }

    /// Removed values by their JSON form: each may have moved.
    private static func removed(_ values: [(json: FlagValue, value: FlagValue)]) -> [FlagValue: FlagValue] {
        Dictionary(values.map { ($0.json, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Converts a new value to the kind of all its siblings, if possible.
    private func likeSiblings(_ siblings: [FlagValue], leastForData least: Int) -> FlagValue {
        switch self {
        case .array(let values):
            let inner = siblings.flatMap { (sibling) -> [FlagValue] in
                if case .array(let values) = sibling { values } else { [] }
            }
            return .array(values.map { $0.likeSiblings(inner, leastForData: least) })
        case .dictionary(let entries):
            let inner = siblings.compactMap { (sibling) -> [String: FlagValue]? in
                if case .dictionary(let entries) = sibling { entries } else { nil }
            }
            return .dictionary(
                Dictionary(
                    uniqueKeysWithValues: entries.map { key, value in
                        (key, value.likeSiblings(inner.compactMap { $0[key] }, leastForData: 1))
                    }))
        default:
            guard let kind = siblings.commonKind, kind != "data" || siblings.count >= least else { return self }
            return read(as: kind) ?? self
        }
    }

    /// Reads a JSON value as a kind that JSON lacks; `nil` if that is impossible or not needed.
    private func read(as kind: String) -> FlagValue? {
        switch (kind, self) {
        case ("real", .integer(let number)):
            let real = Double(number)
            return Int128(exactly: real) == number ? .double(real) : nil
        case ("real", .string(let text)):
            return FlagNumber.parse(text).flatMap { $0.isFinite ? nil : .double($0) }
        case ("date", .string(let text)): return FlagDate.ofAnyYear(text).map(FlagValue.date)
        case ("data", .string(let text)):
            guard text.utf8.count.isMultiple(of: 4) else { return nil }
            return Data(base64Encoded: text).map(FlagValue.data)
        default: return nil
        }
    }

    private var isDouble: Bool { if case .double = self { true } else { false } }

    /// The kind; for a broken value, that of its element.
    var kindOfText: String { if case .broken(let value) = self { value.kind.word } else { kind } }

    /// The JSON form, with whole reals as integers, as some programs write them.
    var inJSON: FlagValue {
        switch self {
        case .date(let date): .string(FlagDate.text(date))
        case .data(let data): .string(data.base64EncodedString())
        case .broken(let value): .string(value.text)
        case .double(let number) where !number.isFinite: .string(FlagNumber.text(number))
        case .double(let number): Int128(exactly: number).map(FlagValue.integer) ?? self
        case .array(let values): .array(values.map(\.inJSON))
        case .dictionary(let entries): .dictionary(entries.mapValues(\.inJSON))
        case .bool, .integer, .string: self
        }
    }
}

extension [FlagValue] {
    /// `nil` if the kinds differ or there are no values.
    var commonKind: String? {
        guard let kind = first?.kindOfText, allSatisfy({ $0.kindOfText == kind }) else { return nil }
        return kind
    }
}
