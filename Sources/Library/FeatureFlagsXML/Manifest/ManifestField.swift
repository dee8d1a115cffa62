import FeatureFlags

/// A field of a manifest, for the reader, the search for misspelled names, and the schemas.
package enum ManifestField: String, CaseIterable, Sendable {
    case version, flags, collections, environments
    case requiresReason, confirmsChanges
    case key, type, `default`, suggestions, storage
    case name, description, icon, order, tags, owner, expires, retired, userInfo
    case isLocked, isInternal, requiresRestart
    case choices, minimum, maximum, pattern
    case format, isOptional, items, properties
    case computed, excludedProviders, group
    case isSection

    package enum Place: CaseIterable, Sendable {
        case manifest
        case flag
        case collection
        /// The rules of an environment, in `environments` of the manifest.
        case environment
        /// The schema of a part of a value, in `items` and `properties`.
        case schema

        package var fields: [ManifestField] {
            switch self {
            case .manifest: [.version, .flags, .collections, .environments]
            case .flag:
                ManifestField.allCases.filter {
                    !(Place.manifest.fields + Place.environment.fields + [.isSection]).contains($0)
                }
            case .environment: [.requiresReason, .confirmsChanges]
            case .collection: [.key, .name, .description, .icon, .order, .isSection]
            case .schema: [.type, .choices, .minimum, .maximum, .pattern, .format, .isOptional, .items, .properties]
            }
        }

        package var required: [ManifestField] {
            switch self {
            case .manifest: [.version]
            case .flag: [.key, .type]
            case .collection: [.key]
            case .environment, .schema: []
            }
        }
    }

    package enum Shape: Hashable, Sendable {
        case versionOne
        case entries(Place)
        case environments
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
        case .environments: .environments
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
        case .isLocked, .isInternal, .requiresRestart, .isOptional, .isSection: .boolean
        case .requiresReason, .confirmsChanges: .boolean
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
        case .items: FlagType.allCases.filter(\.rules.hasParts)
        case .properties: FlagType.allCases.filter { $0.rules.form == .document }
        default: FlagType.allCases
        }
    }

    package var summary: String {
        switch self {
        case .version: "The version of this format: the integer 1."
        case .flags: "The flags."
        case .collections: "Metadata for groups."
        case .environments: "The rules for changes in each environment, by its name."
        case .requiresReason: "Changes need a reason."
        case .confirmsChanges: "Changes must be confirmed with the environment's name."
        case .key: "Groups and name, joined with /. Write / or ~ inside a name as ~1 or ~0."
        case .type: "The flag's type."
        case .default: "The value if no provider has one."
        case .suggestions: "Values that the editor suggests. Other values are allowed too."
        case .storage: "How values are stored."
        case .name: "The display name. Defaults to the key path."
        case .description: "The description."
        case .icon: "The name of an icon, such as an SF Symbol: cart, bell.badge."
        case .order: "The position among its siblings. Flags without one follow in manifest order."
        case .tags: "Words to find the flag by."
        case .owner: "The person or team responsible for the flag."
        case .expires: "The date when the flag should be removed."
        case .retired: "Why the flag is deprecated. Its values are unaffected."
        case .userInfo: "Additional information, shown on the flag's page."
        case .isLocked: "The flag is visible but can't be changed."
        case .isInternal: "The flag is hidden from all tools, as if it didn't exist."
        case .requiresRestart: "Changes apply after the app restarts."
        case .choices: "The allowed values of a choice."
        case .minimum: "The minimum."
        case .maximum: "The maximum."
        case .pattern: "A regular expression that the whole text must match."
        case .format: "The app's number type."
        case .isOptional: "The flag can have no value."
        case .computed: "What the app computes at each read, so that only the app knows it: the value or the default."
        case .excludedProviders: "The names of providers that the app skips for this flag."
        case .group: "The path of the group to show the flag in. Defaults to the group in its key path."
        case .isSection: "The group is a part of the group around it, so its heading can't be collapsed."
        case .items: "The elements of an array, or the values of a dictionary."
        case .properties: "The members of a JSON object, by name. Other members are allowed too."
        }
    }
}
