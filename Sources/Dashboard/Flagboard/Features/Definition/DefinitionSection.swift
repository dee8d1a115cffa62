import FeatureFlags

/// A titled group of fields.
struct DefinitionSection: Hashable, PagePart {
    let title: String
    /// The types that use any of the fields, separated by spaces; `nil` for all.
    let sectionTypes: String?
    let fields: [DefinitionField]

    private init(title: String, fields: [DefinitionField]) {
        self.title = title
        self.fields = fields
        let types = fields.map { DefinitionForm.types(for: $0.name) ?? FlagType.allCases }
        let all = FlagType.allCases.filter { type in types.contains { $0.contains(type) } }
        sectionTypes = all.count == FlagType.allCases.count ? nil : all.map(\.rawValue).joined(separator: " ")
    }

    /// All fields of an existing definition.
    static func all(_ form: DefinitionForm) -> [DefinitionSection] {
        [
            DefinitionSection(title: "Flag", fields: [type(form), name(form), description(form)] + breaking(form)),
            DefinitionSection(
                title: "Values", fields: defaults(form) + choices(form) + [emptyDefault(form)] + limits(form)),
        ] + care(form)
    }

    /// The fields that every new flag should fill.
    static func essentials(_ form: DefinitionForm) -> DefinitionSection {
        let key = DefinitionField.line(
            "key", "Key path", form, hint: "Groups and a name, joined by /, such as checkout/new_button.",
            isRequired: true,
            takesFocus: form.problem == nil)
        return DefinitionSection(
            title: "Flag",
            fields: [key, type(form)] + defaults(form) + choices(form) + [description(form)] + breaking(form))
    }

    /// The optional fields of a new flag.
    static func options(_ form: DefinitionForm) -> [DefinitionSection] {
        var sections = care(form)
        sections[0] = DefinitionSection(title: sections[0].title, fields: [name(form)] + sections[0].fields)
        return [DefinitionSection(title: "Values", fields: [emptyDefault(form)] + limits(form))] + sections
    }

    private static func type(_ form: DefinitionForm) -> DefinitionField {
        .choice("type", "Type", form, FlagTypeName.all)
    }

    private static func name(_ form: DefinitionForm) -> DefinitionField {
        .line("name", "Name", form, hint: "Empty: made from the key path.")
    }

    private static func description(_ form: DefinitionForm) -> DefinitionField {
        .area("description", "Description", form, hint: "What the flag is for.")
    }

    private static func breaking(_ form: DefinitionForm) -> [DefinitionField] {
        guard form.problems["breaksValues"] != nil || form.isChecked("breaksValues") else { return [] }
        return [
            .box(
                "breaksValues", "Define it so all the same", form,
                hint: "Those values are then broken: the app passes them over until a person changes them.")
        ]
    }

    private static func defaults(_ form: DefinitionForm) -> [DefinitionField] {
        [
            .radios(
                DefinitionForm.booleanDefault, "Default", form,
                [("false", "Off"), ("true", "On"), ("", "None")],
                hint: "What the flag is where no provider holds a value."),
            .area(
                "default", "Default", form,
                hint:
                    "What the flag is where no provider holds a value, such as 12, 0.5, text, 2026-01-31 or JSON. Empty: "
                    + "none."),
        ]
    }

    private static func emptyDefault(_ form: DefinitionForm) -> DefinitionField {
        .box("emptyDefault", "The default is the empty text \"\"", form)
    }

    private static func choices(_ form: DefinitionForm) -> [DefinitionField] {
        [
            .area("choices", "Choices", form, hint: "One on each line, in the order to offer them."),
            .radios(
                DefinitionForm.choiceKind, "The choices are", form,
                [("string", "texts"), ("integer", "whole numbers")]),
        ]
    }

    private static func limits(_ form: DefinitionForm) -> [DefinitionField] {
        [
            .area(
                "suggestions", "Suggestions", form,
                hint: "Values that the editor offers, one on each line. Any other can be set as well."),
            .choice(
                "storage", "Stored as", form, FlagStorage.allCases.map(\.rawValue), none: "as it is stored already",
                hint: "As RealFlags stores them: json as data, and a date as a string."),
            .choice(
                "format", "Format", form, FlagFormat.allCases.map(\.rawValue), none: "any number",
                hint: "The number that the app holds the value in. Others are refused."),
            .area(
                "items", "Each element or value", form,
                hint: "As JSON, such as {\"type\": \"integer\", \"format\": \"uint8\"}. Empty: anything.", least: 1),
            .area(
                "properties", "Members", form,
                hint: "Of a JSON object, by name, such as {\"columns\": {\"type\": \"integer\"}}. Others are allowed.",
                least: 1),
            .line("minimum", "Minimum", form, inputMode: "decimal"),
            .line("maximum", "Maximum", form, inputMode: "decimal"),
            .line(
                "pattern", "Pattern", form, hint: "A regular expression that the whole text must match."),
        ]
    }

    private static func care(_ form: DefinitionForm) -> [DefinitionSection] {
        [
            DefinitionSection(
                title: "Looking after it",
                fields: [
                    .line("owner", "Owner", form, hint: "Who answers for the flag."),
                    .line("tags", "Tags", form, hint: "Words to find it by, with commas between them."),
                    .day("expires", "Expires", form, hint: "The day (UTC) on which the flag should be gone."),
                    .line(
                        "group", "Group", form,
                        hint: "The path of the group to show it in, such as shop/beta. Empty: as its key path says."),
                    .line(
                        "order", "Order", form, hint: "A whole number: lower ones come first in the group.",
                        inputMode: "numeric"),
                    .line(
                        "icon", "Icon", form,
                        hint:
                            "The name of an SF Symbol, such as cart. Flagboard draws one of its own for it, or that of the type."
                    ),
                ]),
            DefinitionSection(
                title: "Rules",
                fields: [
                    .box("isLocked", "Locked", form, hint: "Nobody can change it here until an admin unlocks it."),
                    .box(
                        "requiresRestart", "Requires restart", form,
                        hint: "The app must restart to see a change. Flagboard lists what waits for that."),
                    .box("isOptional", "Optional", form, hint: "The app knows what to do without a value."),
                    .box(
                        "isInternal", "Internal", form, hint: "Hides it from everyone here, admins included.",
                        why:
                            "It is then not in the list, the history or an export. To show it again, edit the manifest’s "
                            + "file, or start Flagboard with --show-internal."),
                ]),
        ]
    }
}
