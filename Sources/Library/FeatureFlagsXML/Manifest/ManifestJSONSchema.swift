import FeatureFlags

/// The JSON Schema (2020-12) of a manifest as JSON, with dates as ISO 8601 text and data as base64 text.
///
/// Unknown fields are allowed, since a manifest keeps them.
package enum ManifestJSONSchema {
    package static var text: String {
        var root = object(of: .manifest)
        root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        root["title"] = "Flagboard manifest"
        root["description"] = "The definitions of flags and their groups."
        var flag = object(of: .flag)
        flag["allOf"] = .array(FlagType.allCases.map(condition))
        root["$defs"] = [
            "flag": .dictionary(flag), "collection": .dictionary(object(of: .collection)),
            "environment": .dictionary(object(of: .environment)), "schema": .dictionary(object(of: .schema)),
        ]
        return FlagJSON.text(.dictionary(root))
    }

    private static func object(of place: ManifestField.Place) -> [String: FlagValue] {
        let properties = place.fields.map { field in
            (field.rawValue, described(field))
        }
        return [
            "type": "object", "required": names(place.required),
            "properties": .dictionary(Dictionary(uniqueKeysWithValues: properties.map { ($0, .dictionary($1)) })),
        ]
    }

    package static func described(_ field: ManifestField) -> [String: FlagValue] {
        schema(of: field).merging(["description": .string(field.summary)]) { own, _ in own }
    }

    package static let keyPath: [String: FlagValue] = [
        "type": "string", "minLength": 1, "maxLength": .integer(Int128(PropertyListDocument.maximumKeySize)),
        "pattern": .string("^(?:\(component)/){0,\(FlagKeyPath.maximumCount - 1)}\(component)$"),
    ]

    private static func names(_ fields: [ManifestField]) -> FlagValue { .array(fields.map { .string($0.rawValue) }) }

    private static func schema(of field: ManifestField) -> [String: FlagValue] {
        switch field.shape {
        case .versionOne: ["const": 1]
        case .entries(.flag): ["type": "array", "items": ["$ref": "#/$defs/flag"]]
        case .entries: ["type": "array", "items": ["$ref": "#/$defs/collection"]]
        case .environments: ["type": "object", "additionalProperties": ["$ref": "#/$defs/environment"]]
        case .keyPath: keyPath
        case .type: ["enum": .array(FlagType.allCases.map { .string($0.rawValue) })]
        case .text: ["type": "string"]
        case .expression: ["type": "string", "minLength": 1]
        case .wholeNumber: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .date: date
        case .texts: ["type": "array", "items": ["type": "string"]]
        case .dictionary: ["type": "object"]
        case .value: [:]
        case .values: ["type": "array"]
        case .choices: ["type": "array", "items": ["type": ["string", "number"]]]
        case .layout: ["enum": .array(FlagStorage.allCases.map { .string($0.rawValue) })]
        case .format: ["enum": .array(FlagFormat.allCases.map { .string($0.rawValue) })]
        case .computation: ["enum": .array(FlagComputation.allCases.map { .string($0.rawValue) })]
        case .schema: schemaOfPart
        case .schemas: ["type": "object", "additionalProperties": .dictionary(schemaOfPart)]
        }
    }

    private static let schemaOfPart: [String: FlagValue] = ["$ref": "#/$defs/schema"]

    /// A component of a key path, with `/` escaped as `~1` and `~` as `~0`.
    private static let component = "(?:[^~/]|~[01])*"

    private static let date: [String: FlagValue] = [
        "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T.+)?$",
    ]

    private static let base64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$"

    private static func condition(for type: FlagType) -> FlagValue {
        var properties: [String: FlagValue] = [:]
        for field in ManifestField.Place.flag.fields {
            guard field.types.contains(type) else {
                // An array may be empty even if the type allows no values.
                properties[field.rawValue] = field.shape == .values ? ["maxItems": 0] : false
                continue
            }
            switch field.shape {
            case .value: properties[field.rawValue] = .dictionary(value(of: type))
            case .values: properties[field.rawValue] = ["items": .dictionary(value(of: type))]
            case .layout:
                properties[field.rawValue] = [
                    "enum": .array(FlagStorage.layouts(of: type).map { .string($0.rawValue) })
                ]
            case .format:
                properties[field.rawValue] = [
                    "enum": .array(FlagFormat.formats(of: type).map { .string($0.rawValue) })
                ]
            case .choices where type.rules.form == .choice: properties[field.rawValue] = ["minItems": 1]
            default: break
            }
        }
        var then: [String: FlagValue] = ["properties": .dictionary(properties)]
        if type.rules.form == .choice { then["required"] = names([.choices]) }
        return [
            "if": [
                "properties": .dictionary([ManifestField.type.rawValue: ["const": .string(type.rawValue)]]),
                "required": names([.type]),
            ],
            "then": .dictionary(then),
        ]
    }

    private static func value(of type: FlagType) -> [String: FlagValue] {
        let (rules, kinds) = (type.rules, type.rules.kinds)
        if kinds == ["string"], !rules.hasEmptyText { return ["type": "string", "minLength": 1] }
        if kinds.contains("date") { return date }
        if rules.isData { return ["type": "string", "contentEncoding": "base64", "pattern": .string(base64)] }
        // Data holds any JSON.
        if kinds.contains("data") { return [:] }
        // A number is also an integer.
        let names = kinds.filter { $0 != "integer" || !kinds.contains("real") }.map { kind -> FlagValue in
            .string(["real": "number", "dictionary": "object"][kind] ?? kind)
        }
        return ["type": names.count == 1 ? names[0] : .array(names)]
    }
}
