/// A check of values files and manifests; the raw value is its stable code.
package enum LintRule: String, CaseIterable, Sendable {
    case unreadableFile = "unreadable-file"
    case malformedFile = "malformed-file"
    case duplicateKey = "duplicate-key"
    case mergeConflict = "merge-conflict"
    case invalidDefinition = "invalid-definition"
    case duplicateDefinition = "duplicate-definition"
    case invalidDefault = "invalid-default"
    /// A field without effect was likely meant as another.
    case misspelledField = "misspelled-field"
    /// A field without effect is the author's own.
    case unknownField = "unknown-field"
    case wrongType = "wrong-type"
    case brokenConstraint = "broken-constraint"
    /// A group is in a value's place, or the reverse.
    case misplacedValue = "misplaced-value"
    case uncheckedValue = "unchecked-value"
    case undefinedValue = "undefined-value"
    case retiredValue = "retired-value"
    case expiredFlag = "expired-flag"
    case unusedDefinition = "unused-definition"
    case missingDescription = "missing-description"
    case missingOwner = "missing-owner"
    case missingExpiry = "missing-expiry"
    case missingTags = "missing-tags"

    package var summary: String {
        switch self {
        case .unreadableFile: "A file is missing or can't be read."
        case .malformedFile: "A file is not an XML property list, or its root is not a dictionary."
        case .duplicateKey: "A dictionary has the same key twice."
        case .mergeConflict: "A merge conflict is unresolved."
        case .invalidDefinition: "The definition of a flag or group is invalid."
        case .duplicateDefinition: "A flag or group is defined twice."
        case .invalidDefault: "A flag's default is invalid."
        case .misspelledField: "A manifest field is likely misspelled and has no effect."
        case .unknownField: "A manifest field is unknown and has no effect."
        case .wrongType: "A value has the wrong type."
        case .brokenConstraint: "A value is not an allowed choice, is out of range, or doesn't match the pattern."
        case .misplacedValue: "A group is in the place of a value, or a value in the place of a group."
        case .uncheckedValue: "A value could not be checked because its flag's pattern is too slow."
        case .undefinedValue: "A value has no definition."
        case .retiredValue: "A deprecated flag still has a value."
        case .expiredFlag: "A flag is past its expiry date."
        case .unusedDefinition: "A defined flag has no value in any file."
        case .missingDescription: "A flag has no description."
        case .missingOwner: "A flag has no owner."
        case .missingExpiry: "A flag has no expiry date."
        case .missingTags: "A flag has no tags."
        }
    }

    /// The default severity; `nil` if off, as for flags without a value, most of which are at their default.
    package var usualSeverity: LintSeverity? {
        switch self {
        case .unreadableFile, .malformedFile, .duplicateKey, .mergeConflict, .invalidDefinition, .duplicateDefinition,
            .invalidDefault, .wrongType, .brokenConstraint, .misplacedValue:
            .error
        case .misspelledField, .uncheckedValue, .undefinedValue, .expiredFlag: .warning
        case .unknownField, .retiredValue, .unusedDefinition, .missingDescription, .missingOwner, .missingExpiry,
            .missingTags:
            nil
        }
    }

    package var isFixed: Bool {
        switch self {
        case .unreadableFile, .malformedFile, .duplicateKey, .mergeConflict, .invalidDefinition, .duplicateDefinition,
            .invalidDefault:
            true
        default: false
        }
    }
}
