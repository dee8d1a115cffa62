import FeatureFlags
import FeatureFlagsXML

/// RELAX NG (ISO/IEC 19757-2, XML syntax) for a manifest property list.
///
/// Unlike a DTD or XSD, RELAX NG can require a kind of value behind a certain key.
enum ManifestRelaxNG {
    static var text: String {
        let grammar = RelaxNGPattern(
            "grammar",
            [
                ("xmlns", "http://relaxng.org/ns/structure/1.0"),
                ("xmlns:a", "http://relaxng.org/ns/compatibility/annotations/1.0"),
                ("datatypeLibrary", "http://www.w3.org/2001/XMLSchema-datatypes"),
            ],
            [
                RelaxNGPattern(
                    "start",
                    [
                        .element(
                            "plist",
                            [
                                RelaxNGPattern("optional", [RelaxNGPattern("attribute", [("name", "version")])]),
                                .ref("manifest"),
                            ])
                    ]),
                RelaxNGPattern.define("manifest", [.element("dict", entries(of: .manifest, "manifest-entry"))]),
                RelaxNGPattern.define("manifest-entry", choices(of: .manifest, ManifestField.Place.manifest.fields)),
                RelaxNGPattern.define(
                    "flag", [RelaxNGPattern("choice", FlagType.allCases.map { .ref("flag-\($0.rawValue)") })]),
                RelaxNGPattern.define(
                    "flag-entry", choices(of: .flag, ManifestField.Place.flag.fields.filter(isOfAllFlags))),
            ] + FlagType.allCases.flatMap(flag) + [
                RelaxNGPattern.define("collection", [.element("dict", entries(of: .collection, "collection-entry"))]),
                RelaxNGPattern.define(
                    "collection-entry", choices(of: .collection, ManifestField.Place.collection.fields)),
                RelaxNGPattern.define(
                    "environment", [.element("dict", entries(of: .environment, "environment-entry"))]),
                RelaxNGPattern.define(
                    "environment-entry", choices(of: .environment, ManifestField.Place.environment.fields)),
                RelaxNGPattern.define("schema", [.element("dict", entries(of: .schema, "schema-entry"))]),
                RelaxNGPattern.define("schema-entry", choices(of: .schema, ManifestField.Place.schema.fields)),
            ] + anything)
        return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + grammar.lines(0)).joined(separator: "\n")
    }

    private static func flag(of type: FlagType) -> [RelaxNGPattern] {
        let name = "flag-\(type.rawValue)"
        let own = ManifestField.Place.flag.fields.filter { field in
            !isOfAllFlags(field) && (field.types.contains(type) || field.shape == .values)
        }
        return [
            .define(name, [.element("dict", entries(of: .flag, "\(name)-entry", type))]),
            .define(
                "\(name)-entry",
                [RelaxNGPattern("choice", own.map { RelaxNGPattern("group", entry($0, type)) } + [.ref("flag-entry")])]),
        ]
    }

    /// The field is the same for all types.
    private static func isOfAllFlags(_ field: ManifestField) -> Bool {
        switch field.shape {
        case .type, .value, .values, .choices, .layout, .format: false
        default: field.types.count == FlagType.allCases.count
        }
    }

    /// Returns the entries of a dictionary, in any order, with all required ones.
    private static func entries(
        of place: ManifestField.Place, _ name: String, _ type: FlagType? = nil
    ) -> [RelaxNGPattern] {
        let others = RelaxNGPattern("zeroOrMore", [.ref(name)])
        let required = place.required + (type?.rules.form == .choice ? [.choices] : [])
        let orders = permutations(required).map { order in
            RelaxNGPattern("group", order.flatMap { [others] + entry($0, type) } + [others])
        }
        return orders.count == 1 ? orders[0].children : [RelaxNGPattern("choice", orders)]
    }

    private static func permutations(_ fields: [ManifestField]) -> [[ManifestField]] {
        guard fields.count > 1 else { return [fields] }
        return fields.indices.flatMap { index in
            var rest = fields
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// A known key with its value, or an unknown key with any value.
    private static func choices(of place: ManifestField.Place, _ known: [ManifestField]) -> [RelaxNGPattern] {
        let other = RelaxNGPattern(
            "group",
            [
                .element(
                    "key",
                    [
                        RelaxNGPattern(
                            "data", [("type", "string")],
                            [
                                RelaxNGPattern(
                                    "except", [RelaxNGPattern("choice", place.fields.map { .value($0.rawValue) })])
                            ])
                    ]), .ref("any"),
            ])
        return [RelaxNGPattern("choice", known.map { RelaxNGPattern("group", entry($0, nil)) } + [other])]
    }

    private static func entry(_ field: ManifestField, _ type: FlagType?) -> [RelaxNGPattern] {
        let key = RelaxNGPattern(
            "element", [("name", "key")],
            [RelaxNGPattern("a:documentation", text: field.summary), .value(field.rawValue)])
        return [key, value(of: field, type)]
    }

    private static func value(of field: ManifestField, _ type: FlagType?) -> RelaxNGPattern {
        switch field.shape {
        case .versionOne: .element("integer", [RelaxNGPattern("value", [("type", "integer")], text: "1")])
        case .entries(.flag): .array([.ref("flag")])
        case .entries: .array([.ref("collection")])
        case .type:
            .element(
                "string", [RelaxNGPattern.either((type.map { [$0] } ?? FlagType.allCases).map { .value($0.rawValue) })])
        case .layout:
            .element(
                "string",
                [.either((type.map(FlagStorage.layouts) ?? FlagStorage.allCases).map { .value($0.rawValue) })])
        case .format:
            .element(
                "string",
                [.either((type.map(FlagFormat.formats) ?? FlagFormat.allCases).map { .value($0.rawValue) })])
        case .computation:
            .element("string", [.either(FlagComputation.allCases.map { .value($0.rawValue) })])
        case .schema: .ref("schema")
        case .schemas: .members(.ref("schema"))
        case .environments: .members(.ref("environment"))
        case .keyPath: .text(with: "pattern", "([^~]|~[01])+")
        case .text: .ref("string")
        case .expression: .text(with: "minLength", "1")
        case .wholeNumber: .ref("integer")
        case .number: .either([.ref("integer"), .ref("real")])
        case .boolean: .ref("boolean")
        case .date: .ref("day")
        case .texts: .array([.ref("string")])
        case .dictionary: .ref("dict")
        case .value: value(of: type)
        // A type that can't have these may have an empty array.
        case .values where type.map(field.types.contains) == false: .element("array", [.empty])
        case .values: .array([value(of: type)])
        case .choices:
            .array(
                [.either([.ref("string"), .ref("integer"), .ref("real")])], isEmptyAllowed: type?.rules.form != .choice)
        }
    }

    /// Values that ``FlagDefinition/interpret(_:)`` may read as the type.
    private static func value(of type: FlagType?) -> RelaxNGPattern {
        let kinds = type?.rules.kinds ?? ["any"]
        let names = kinds.contains("date") ? ["day"] : kinds.map { $0 == "dictionary" ? "dict" : $0 }
        return .either(names.map(RelaxNGPattern.ref))
    }

    private static var anything: [RelaxNGPattern] {
        let texts = ["string", "integer", "real", "date", "data"]
        return texts.map { name in .define(name, [.element(name, [.anyText])]) } + [
            .define("day", [.either([.ref("date"), .text(with: "pattern", "[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?")])]),
            .define(
                "boolean",
                [.either(["true", "false"].map { .element($0, [.empty]) })]),
            .define("array", [.array([.ref("any")])]),
            .define(
                "dict",
                [
                    .element(
                        "dict",
                        [
                            RelaxNGPattern(
                                "zeroOrMore",
                                [.element("key", [.anyText]), .ref("any")])
                        ])
                ]),
            .define("any", [.either((texts + ["boolean", "array", "dict"]).map(RelaxNGPattern.ref))]),
        ]
    }
}
