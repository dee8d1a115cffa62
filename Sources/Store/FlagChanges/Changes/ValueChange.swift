import FeatureFlags

/// A change of a flag's value in one provider.
public enum ValueChange: Hashable, Sendable {
    /// Stores a typed text, read as the flag's type.
    case setText(String)
    /// Stores a value.
    case setValue(FlagValue)
    /// Stores a JSON value, read as the flag's type.
    case setJSON(JSONInput)
    /// Restores a value from the history, even one that the flag doesn't take, or that alone made the flag.
    case putBack(FlagValue)
    /// Removes the provider's value, so that the flag falls back to the next source.
    case reset
    /// Settles a merge conflict at the value and removes its comment from the file.
    case settle(MergeSide)

    /// The version of a conflict to keep.
    public enum MergeSide: String, Hashable, Sendable {
        /// The version in the file; its value stays.
        case ours
        /// The version in the comment.
        case theirs
    }
}

extension ValueChange {
    var written: (name: String, operand: FlagValue?) {
        switch self {
        case .setText(let text): ("setText", .string(text))
        case .setValue(let value): ("setValue", value)
        case .setJSON(let json): json.value.stored.map { ("setJSON", $0) } ?? ("setJSONText", json.described)
        case .putBack(let value): ("putBack", value)
        case .reset: ("reset", nil)
        case .settle(let side): ("settle", .string(side.rawValue))
        }
    }

    init?(name: String, operand: FlagValue?) {
        switch (name, operand) {
        case ("setText", .string(let text)?): self = .setText(text)
        case ("setValue", let value?): self = .setValue(value)
        case ("setJSON", let value?): self = .setJSON(JSONInput(value))
        case ("setJSONText", .string(let text)?):
            guard case .success(let json) = Result(catching: { () throws(FlagValueError) in try JSONInput(text) })
            else {
                return nil
            }
            self = .setJSON(json)
        case ("putBack", let value?): self = .putBack(value)
        case ("reset", nil): self = .reset
        case ("settle", .string(let text)?):
            guard let side = MergeSide(rawValue: text) else { return nil }
            self = .settle(side)
        default: return nil
        }
    }

    /// `former` gives the layout if the provider holds no value.
    func value(
        of definition: FlagDefinition, replacing before: FlagValue?, storedLike former: FlagValue? = nil
    ) throws(FlagValueError) -> FlagValue? {
        switch self {
        case .setText(let text): return try definition.parse(text, replacing: before, storedLike: former)
        case .setJSON(let json): return try definition.parse(json: json.value, replacing: before, storedLike: former)
        case .setValue(let value): return try definition.laidOut(value, replacing: before, storedLike: former)
        case .putBack(let value):
            // An old value keeps its layout, unless the definition specifies one.
            _ = try definition.interpret(value)
            return definition.storage == nil ? value : try definition.laidOut(value)
        case .reset: return nil
        // Only the file knows the other version.
        case .settle: return before
        }
    }

    /// Returns the requested value, valid or not.
    func asked(_ definition: FlagDefinition, replacing before: FlagValue?) -> FlagValue? {
        if case .putBack(let value) = self { return value }
        switch Result(catching: { () throws(FlagValueError) in try value(of: definition, replacing: before) }) {
        case .success(let value): return value
        case .failure: return written.operand
        }
    }
}

extension Change.Action {
    /// ``ValueChange/setText(_:)``.
    public static func setText(_ text: String) -> Self { .value(.setText(text)) }
    /// ``ValueChange/setValue(_:)``.
    public static func setValue(_ value: FlagValue) -> Self { .value(.setValue(value)) }
    /// ``ValueChange/setJSON(_:)``.
    public static func setJSON(_ json: JSONInput) -> Self { .value(.setJSON(json)) }
    /// ``ValueChange/putBack(_:)``.
    public static func putBack(_ value: FlagValue) -> Self { .value(.putBack(value)) }
    /// ``ValueChange/reset``.
    public static let reset = Self.value(.reset)
    /// ``ValueChange/settle(_:)``.
    public static func settle(_ side: ValueChange.MergeSide) -> Self { .value(.settle(side)) }

    /// The chosen version of a conflict, whose comment goes even if the value stays.
    public var settledSide: ValueChange.MergeSide? {
        switch self {
        case .value(.settle(let side)), .definition(.settle(let side, field: _)): side
        default: nil
        }
    }
}
