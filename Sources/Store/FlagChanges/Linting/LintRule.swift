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
