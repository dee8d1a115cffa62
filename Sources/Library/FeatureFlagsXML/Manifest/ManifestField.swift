import FeatureFlags

/// A field of a manifest: the one list for the reader, the search for misspelled names, and the schemas.
package enum ManifestField: String, CaseIterable, Sendable {
    case version, flags, collections
    case key, type, `default`, suggestions, storage
    case name, description, icon, order, tags, owner, expires, retired, userInfo
    case isLocked, isInternal, requiresRestart
    case choices, minimum, maximum, pattern
    case format, isOptional, items, properties
    case computed, excludedProviders, group

    package enum Place: CaseIterable, Sendable {
        case manifest
        case flag
        case collection
        /// The schema of a part of a value, in `items` and `properties`.
        case schema

        package var fields: [ManifestField] {
            switch self {
            case .manifest: [.version, .flags, .collections]
            case .flag: ManifestField.allCases.filter { !Place.manifest.fields.contains($0) }
            case .collection: [.key, .name, .description, .order]
            case .schema: [.type, .choices, .minimum, .maximum, .pattern, .format, .isOptional, .items, .properties]
            }
        }

        package var required: [ManifestField] {
            switch self {
            case .manifest: [.version]
            case .flag: [.key, .type]
            case .collection: [.key]
            case .schema: []
            }
        }
    }

    package enum Shape: Hashable, Sendable {
        case versionOne
        case entries(Place)
        case keyPath
        case type
        case text
        case wholeNumber
        case number
        case boolean
        case date
        case texts
        case dictionary
        case value
        case values
        case choices
        case layout
        case expression
        case format
        case schema
        case schemas
        case computation
    }

    package var shape: Shape {
        switch self {
        case .version: .versionOne
        case .flags: .entries(.flag)
        case .collections: .entries(.collection)
        case .key, .group: .keyPath
        case .type: .type
        case .default: .value
        case .suggestions: .values
        case .storage: .layout
        case .name, .description, .icon, .owner, .retired: .text
        case .order: .wholeNumber
        case .tags, .excludedProviders: .texts
        case .computed: .computation
        case .expires: .date
        case .userInfo: .dictionary
        case .isLocked, .isInternal, .requiresRestart, .isOptional: .boolean
        case .choices: .choices
        case .minimum, .maximum: .number
        case .pattern: .expression
        case .format: .format
        case .items: .schema
        case .properties: .schemas
        }
    }

    package var types: [FlagType] {
        switch self {
        case .minimum, .maximum: FlagType.allCases.filter(\.rules.hasBounds)
        case .pattern: FlagType.allCases.filter(\.rules.hasPattern)
        case .suggestions: FlagType.allCases.filter(\.rules.hasSuggestions)
        case .storage: FlagType.allCases.filter { !FlagStorage.layouts(of: $0).isEmpty }
        case .format: FlagType.allCases.filter { !FlagFormat.formats(of: $0).isEmpty }
        case .items: [.array, .dictionary, .json]
        case .properties: [.json]
        default: FlagType.allCases
        }
    }

    package var summary: String {
        switch self {
        case .version: "The version of this layout: the integer 1."
        case .flags: "The flags."
        case .collections: "The groups that are described."
        case .key: "Groups and name, joined by /; a / or ~ inside a name is written ~1 or ~0."
        case .type: "What the flag's value is."
        case .default: "The value where no file holds one."
        case .suggestions: "Values that the flag's editor offers, while others are allowed."
        case .storage: "The layout of stored values."
        case .name: "A readable name; without it, one is made from the key."
        case .description: "What it is for."
        case .icon: "The name of an icon, as of an SF Symbol: cart, bell.badge."
        case .order: "The place among its neighbours; those without one follow, in the order of the file."
        case .tags: "Words to find the flag by."
        case .owner: "Who answers for the flag."
        case .expires: "The day when the flag should be gone."
        case .retired: "Why the flag should not be used any more; it is marked, and reads as before."
        case .userInfo: "Further facts, shown on the flag's page."
        case .isLocked: "The flag can be seen, but not changed."
        case .isInternal: "The flag is not shown, searched, counted or exported, as though it did not exist."
        case .requiresRestart: "A change takes effect when the app restarts."
        case .choices: "The values that a choice may take, and no others."
        case .minimum: "The least number allowed."
        case .maximum: "The greatest number allowed."
        case .pattern: "A regular expression that the whole of the text must match."
        case .format: "The number that the app holds the value in."
        case .isOptional: "There may be no value."
        case .computed: "What the app computes at each read, so that only it knows: the value, or the default."
        case .excludedProviders: "The names of the providers that the app doesn't read the flag from."
        case .group: "The path of the group that it is shown in; without it, the group of its key path."
        case .items: "What each element of an array, or each value of a dictionary, is."
        case .properties: "What the members of a JSON object are, by name; others are allowed."
        }
    }
}
