/// A part of an array or a dictionary that an edit makes another kind of value.
///
/// ```swift
/// let before: FlagValue = [.date(.now), .date(.now)]
/// let parts = RetypedPart.parts(of: [.date(.now), "soon"], since: before)
/// print(parts.map(\.description))  // ["/1 (date → string)"]
/// ```
public struct RetypedPart: Hashable, Sendable {
    /// The steps to it, in the value after the edit: keys, and places in arrays from 0.
    public let path: [String]
    /// The kind before, in the words of ``FlagValue/kind``; of an entry that was added, that of all others.
    public let before: String
    /// The kind after.
    public let after: String
    /// Whether the entry was added.
    public let isNew: Bool

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - path: The steps to it.
    ///   - before: The kind before.
    ///   - after: The kind after.
    ///   - isNew: Whether the entry was added.
    package init(path: [String], before: String, after: String, isNew: Bool) {
        (self.path, self.before, self.after, self.isNew) = (path, before, after, isNew)
    }

    /// The path as a JSON Pointer (RFC 6901).
    public var pointer: String { "/" + FlagKeyPath(components: path).text }
}

extension RetypedPart: CustomStringConvertible {
    /// The place and both kinds: `/1 (date → string)`, or `/2 (new: string, the others: date)`.
    public var description: String {
        isNew ? "\(pointer) (new: \(after), the others: \(before))" : "\(pointer) (\(before) → \(after))"
    }
}

extension [RetypedPart] {
    /// The parts in a sentence; `nil` where there are none.
    package var sentence: String? {
        guard !isEmpty else { return nil }
        let (shown, rest) = (prefix(5).map(\.description).joined(separator: ", "), count - 5)
        return "Stored as another type: \(shown)\(rest > 0 ? " and \(rest) more" : "")."
    }
}

extension RetypedPart {
    /// The parts that are of another kind after an edit, in the order of the value.
    ///
    /// - Parameters:
    ///   - new: The value after it.
    ///   - old: The value before it.
    /// - Returns: The parts; none where one of both is neither an array nor a dictionary.
    public static func parts(of new: FlagValue?, since old: FlagValue?) -> [RetypedPart] {
        guard let new, let old else { return [] }
        var parts: [RetypedPart] = []
        compare(new, old, at: [], into: &parts)
        return parts
    }

    private static func compare(
        _ new: FlagValue, _ old: FlagValue, at path: [String], into parts: inout [RetypedPart]
    ) {
        switch (new, old) {
        case (.array(let values), .array(let oldValues)):
            let partners = FlagValueAlignment(from: oldValues.map(\.inJSON), to: values.map(\.inJSON)).partners
            for (index, (value, partner)) in zip(values, partners).enumerated() {
                let inner = path + [String(index)]
                if let partner {
                    compare(value, oldValues[partner], at: inner, into: &parts)
                } else {
                    note(value, beside: oldValues, at: inner, into: &parts)
                }
            }
        case (.dictionary(let entries), .dictionary(let oldEntries)):
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard let known = oldEntries[key] else { continue }
                compare(value, known, at: path + [key], into: &parts)
            }
        default:
            guard !path.isEmpty, new.kindOfText != old.kindOfText else { return }
            parts.append(RetypedPart(path: path, before: old.kindOfText, after: new.kindOfText, isNew: false))
        }
    }

    /// Notes an element that was added and is of another kind than all that were there.
    private static func note(
        _ value: FlagValue, beside others: [FlagValue], at path: [String], into parts: inout [RetypedPart]
    ) {
        guard let kind = others.commonKind, kind != value.kindOfText else { return }
        parts.append(RetypedPart(path: path, before: kind, after: value.kindOfText, isNew: true))
    }
}
