/// A part of an array or a dictionary whose kind an edit changes.
///
/// ```swift
/// let before: FlagValue = [.date(.now), .date(.now)]
/// let parts = RetypedPart.parts(of: [.date(.now), "soon"], since: before)
/// print(parts.map(\.description))  // ["/1 (date → string)"]
/// ```
public struct RetypedPart: Hashable, Sendable {
    /// The path in the edited value: keys, and indices of arrays.
    public let path: [String]
    /// The kind before, in the words of ``FlagValue/kind``; for an added entry, that of all others.
    public let before: String
    /// The kind after.
    public let after: String
    /// `true` if the entry was added.
    public let isNew: Bool

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
    /// `nil` if there are no parts.
    package var sentence: String? {
        guard !isEmpty else { return nil }
        let (shown, rest) = (prefix(5).map(\.description).joined(separator: ", "), count - 5)
        return "Stored as another type: \(shown)\(rest > 0 ? " and \(rest) more" : "")."
    }
}

extension RetypedPart {
    /// Returns the parts whose kind differs after an edit, in the order of the value.
    ///
    /// - Parameters:
    ///   - new: The value after it.
    ///   - old: The value before it.
    /// - Returns: The parts; none if either value is neither an array nor a dictionary.
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
            let origins = FlagValueAlignment(from: oldValues.map(\.inJSON), to: values.map(\.inJSON)).origins
            for (index, (value, origin)) in zip(values, origins).enumerated() {
                let inner = path + [String(index)]
                if let origin {
                    compare(value, oldValues[origin], at: inner, into: &parts)
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

    /// Notes an added element, or a member of it, of another kind than all others.
    private static func note(
        _ value: FlagValue, beside others: [FlagValue], at path: [String], into parts: inout [RetypedPart]
    ) {
        guard let kind = others.commonKind else { return }
        guard kind == value.kindOfText else {
            return parts.append(RetypedPart(path: path, before: kind, after: value.kindOfText, isNew: true))
        }
        guard case .dictionary(let members) = value else { return }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let known = others.compactMap { if case .dictionary(let other) = $0 { other[name] } else { nil } }
            note(member, beside: known, at: path + [name], into: &parts)
        }
    }
}
