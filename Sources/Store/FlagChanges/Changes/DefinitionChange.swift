import FeatureFlags
import FeatureFlagsXML

/// A change of a flag's definition in the manifest.
public enum DefinitionChange: Hashable, Sendable {
    /// Locks the flag, so that only code can change its value.
    case lock
    /// Unlocks the flag.
    case unlock
    /// Defines a flag that has no definition; ``DefinitionEdit/definition`` has the change's key.
    case define(DefinitionEdit)
    /// Changes the flag's definition.
    case redefine(DefinitionEdit)
    /// Adds or removes a tag.
    case tag(String, isSet: Bool)
    /// Moves the flag, with its definition and all its values, to another key path.
    case rename(FlagKeyPath)
    /// Marks the flag as retired, with the reason; `nil` removes the mark.
    case retire(String?)
    /// Settles a merge conflict at a field and removes its comment from the manifest.
    case settle(ValueChange.MergeSide, field: String)
    /// Removes the flag's definition, optionally with its values.
    case remove(withValues: Bool)
}

extension DefinitionChange {
    var written: (name: String, operand: FlagValue?) {
        switch self {
        case .lock: ("lock", nil)
        case .unlock: ("unlock", nil)
        case .define(let edit): ("define", edit.fields)
        case .redefine(let edit): ("redefine", edit.fields)
        case .tag(let tag, let isSet): (isSet ? "tag" : "untag", .string(tag))
        case .rename(let key): ("rename", .string(key.text))
        case .retire(let reason): ("retire", reason.map(FlagValue.string))
        case .settle(let side, let field): ("settleField", .array([.string(side.rawValue), .string(field)]))
        case .remove(let withValues): ("remove", .bool(withValues))
        }
    }

    init?(name: String, operand: FlagValue?) {
        let change: DefinitionChange? =
            switch (name, operand) {
            case ("lock", nil): .lock
            case ("unlock", nil): .unlock
            case ("define", let fields?): DefinitionEdit(fields: fields).map(DefinitionChange.define)
            case ("redefine", let fields?): DefinitionEdit(fields: fields).map(DefinitionChange.redefine)
            case ("tag", .string(let tag)?): .tag(tag, isSet: true)
            case ("untag", .string(let tag)?): .tag(tag, isSet: false)
            case ("rename", .string(let text)?): FlagKeyPath(text: text).map(DefinitionChange.rename)
            case ("retire", .string(let reason)?): .retire(reason)
            case ("retire", nil): .retire(nil)
            case ("settleField", .array(let words)?): Self(settling: words)
            case ("remove", .bool(let withValues)?): .remove(withValues: withValues)
            default: nil
            }
        guard let change else { return nil }
        self = change
    }

    private init?(settling words: [FlagValue]) {
        guard case .string(let text)? = words.first, let side = ValueChange.MergeSide(rawValue: text),
            case .string(let field)? = words.dropFirst().first
        else { return nil }
        self = .settle(side, field: field)
    }

    package var edit: DefinitionEdit? {
        switch self {
        case .define(let edit), .redefine(let edit): edit
        default: nil
        }
    }

    func entry(for key: FlagKeyPath) -> FlagValue? {
        edit.map { .dictionary($0.fields(for: key)) }
    }

    package var isOfLock: Bool { self == .lock || self == .unlock }
}

extension Change.Action {
    /// ``DefinitionChange/lock``.
    public static let lock = Self.definition(.lock)
    /// ``DefinitionChange/unlock``.
    public static let unlock = Self.definition(.unlock)
    /// ``DefinitionChange/define(_:)``.
    public static func define(_ edit: DefinitionEdit) -> Self { .definition(.define(edit)) }
    /// ``DefinitionChange/redefine(_:)``.
    public static func redefine(_ edit: DefinitionEdit) -> Self { .definition(.redefine(edit)) }
    /// ``DefinitionChange/tag(_:isSet:)``.
    public static func tag(_ tag: String, isSet: Bool) -> Self { .definition(.tag(tag, isSet: isSet)) }
    /// ``DefinitionChange/rename(_:)``.
    public static func rename(_ key: FlagKeyPath) -> Self { .definition(.rename(key)) }
    /// ``DefinitionChange/retire(_:)``.
    public static func retire(_ reason: String?) -> Self { .definition(.retire(reason)) }
    /// ``DefinitionChange/settle(_:field:)``.
    public static func settle(_ side: ValueChange.MergeSide, field: String) -> Self {
        .definition(.settle(side, field: field))
    }
    /// ``DefinitionChange/remove(withValues:)``.
    public static func remove(withValues: Bool) -> Self { .definition(.remove(withValues: withValues)) }
}

/// A flag's definition in the manifest, for editing.
package struct StoredDefinition: Hashable, Sendable {
    package let definition: FlagDefinition
    package let revision: FlagRevision

    package init(definition: FlagDefinition, revision: FlagRevision) {
        self.definition = definition
        self.revision = revision
    }
}
