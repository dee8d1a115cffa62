/// A check of values files and manifests; the raw value is its stable code.
package enum LintRule: String, CaseIterable, Sendable {
    /// A file is missing or can't be read.
    case unreadableFile = "unreadable-file"
    /// A file is not a property list with a dictionary.
    case malformedFile = "malformed-file"
    /// A dictionary has a key twice.
    case duplicateKey = "duplicate-key"
    /// A merge conflict is unsettled.
    case mergeConflict = "merge-conflict"
    /// A definition is not valid.
    case invalidDefinition = "invalid-definition"
    /// A flag or a group is defined twice.
    case duplicateDefinition = "duplicate-definition"
    /// A default is not a valid value of its flag.
    case invalidDefault = "invalid-default"
    /// A field without effect was likely meant as another.
    case misspelledField = "misspelled-field"
    /// A field without effect is the author's own.
    case unknownField = "unknown-field"
    /// A value has the wrong type.
    case wrongType = "wrong-type"
    /// A value breaks a constraint.
    case brokenConstraint = "broken-constraint"
    /// A group is in a value's place, or the reverse.
    case misplacedValue = "misplaced-value"
    /// A value could not be checked.
    case uncheckedValue = "unchecked-value"
    /// A value has no definition.
    case undefinedValue = "undefined-value"
    /// A value is of a retired flag.
    case retiredValue = "retired-value"
    /// A flag has expired.
    case expiredFlag = "expired-flag"
    /// No file has a value of a flag.
    case unusedDefinition = "unused-definition"
    /// A flag lacks a description.
    case missingDescription = "missing-description"
    /// A flag lacks an owner.
    case missingOwner = "missing-owner"
    /// A flag lacks an expiry date.
    case missingExpiry = "missing-expiry"
    /// A flag lacks tags.
    case missingTags = "missing-tags"

    /// The rule as a sentence.
    package var summary: String {
        switch self {
        case .unreadableFile: "A file is missing or can't be read."
        case .malformedFile: "A file is no XML property list, or its root is no dictionary."
        case .duplicateKey: "A dictionary has the same key twice."
        case .mergeConflict: "A merge left a conflict as a comment, which nobody has settled."
        case .invalidDefinition: "The manifest's definition of a flag or a group is not valid."
        case .duplicateDefinition: "The manifest defines a flag or a group twice."
        case .invalidDefault: "A flag's default is no value that the flag can have."
        case .misspelledField: "A field of the manifest has no effect and was likely meant for another."
        case .unknownField: "A field of the manifest has no effect and is like none that has."
        case .wrongType: "A value is not of its flag's type."
        case .brokenConstraint: "A value is none of the choices, out of its bounds, or does not match the pattern."
        case .misplacedValue: "A group stands in the place of a flag's value, or a value in the place of a group."
        case .uncheckedValue: "A value could not be checked, since its flag's pattern takes too long."
        case .undefinedValue: "The manifest does not define a value's flag."
        case .retiredValue: "A file has a value of a flag that is retired."
        case .expiredFlag: "The day has passed on which the flag should be gone."
        case .unusedDefinition: "No file has a value of a flag that is defined."
        case .missingDescription: "A flag has no description."
        case .missingOwner: "A flag has no owner."
        case .missingExpiry: "A flag has no day when it should be gone."
        case .missingTags: "A flag has no tags."
        }
    }

    /// The default severity; `nil` if the rule is off, as for flags without a value: most are at their default.
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

    /// True if findings are always errors.
    package var isFixed: Bool {
        switch self {
        case .unreadableFile, .malformedFile, .duplicateKey, .mergeConflict, .invalidDefinition, .duplicateDefinition,
            .invalidDefault:
            true
        default: false
        }
    }
}
