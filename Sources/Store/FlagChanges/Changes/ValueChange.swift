import FeatureFlags

/// What to do to a flag's value in one provider.
public enum ValueChange: Hashable, Sendable {
    /// Store what a person typed, read as the flag's type.
    case setText(String)
    /// Store a value.
    case setValue(FlagValue)
    /// Store a value as JSON tells it, read as the flag's type.
    case setJSON(JSONInput)
    /// Store again a value that the history says the provider held, even one that the flag does not take, or that made the
    /// flag what it was: one that is known by its value alone.
    case putBack(FlagValue)
    /// Remove the provider's value, so that the flag falls back to the next source.
    case reset
    /// Settle the conflict that a merge left at the value, which removes its comment from the file.
    case settle(MergeSide)

    /// The version whose value is to stand.
    public enum MergeSide: String, Hashable, Sendable {
        /// The version that the file kept: its value stays as it is now.
        case ours
        /// The version that the comment holds.
        case theirs
    }
}

extension ValueChange {
    /// The name and the operand of the change, for ``Change/Action/written``.
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

    /// Takes a change back from what ``written`` gave; `nil` where it is none.
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

    /// The value to store, read as one of the flag.
    ///
    /// - Parameter former: A value in the layout to store, where the provider holds none.
    /// - Returns: `nil` where the provider is to hold none.
    func value(
        of definition: FlagDefinition, replacing before: FlagValue?, storedLike former: FlagValue? = nil
    ) throws(FlagValueError) -> FlagValue? {
        switch self {
        case .setText(let text): return try definition.parse(text, replacing: before, storedLike: former)
        case .setJSON(let json): return try definition.parse(json: json.value, replacing: before, storedLike: former)
        case .setValue(let value): return try definition.laidOut(value, replacing: before, storedLike: former)
        case .putBack(let value):
            // What was there comes back as it was, unless the definition says a layout.
            _ = try definition.interpret(value)
            return definition.storage == nil ? value : try definition.laidOut(value)
        case .reset: return nil
        // The file alone says what the other version is.
        case .settle: return before
        }
    }

    /// What the change asks to store; what is no value of the flag stays as it was asked for.
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

    /// The version that it chooses where it settles a conflict, which removes a comment even where the value stays; `nil` for
    /// any other change.
    public var settledSide: ValueChange.MergeSide? {
        switch self {
        case .value(.settle(let side)), .definition(.settle(let side, field: _)): side
        default: nil
        }
    }
}
