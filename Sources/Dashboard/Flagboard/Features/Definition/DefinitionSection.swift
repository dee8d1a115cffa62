import FeatureFlags

struct DefinitionSection: Hashable, PagePart {
    let title: String
    /// The section's name if only some types use any of the fields, as in ``ChoiceOption/details``.
    let sectionDetail: String?
    let fields: [DefinitionField]

    private init(title: String, fields: [DefinitionField], detail: String? = nil) {
        (self.title, self.fields, sectionDetail) = (title, fields, detail)
    }

    static func main(_ form: DefinitionForm) -> [DefinitionSection] {
        [
            DefinitionSection(title: "Flag", fields: [.type(form), name(form), description(form)] + breaking(form)),
            DefinitionSection(
                title: "Values", fields: choices(form) + defaults(form) + [emptyDefault(form)] + limits(form)),
        ]
    }

    static func aside(_ form: DefinitionForm) -> [DefinitionSection] { [ownership(form), display(form)] }

    static func all(_ form: DefinitionForm) -> [DefinitionSection] { main(form) + aside(form) + [rules(form)] }

    static func essentials(_ form: DefinitionForm) -> DefinitionSection {
        let key = DefinitionField.line(
            "key", "Key path", form, hint: form.isKeyUnusual ? nil : "Example: checkout/new_button", isRequired: true,
            takesFocus: form.problem == nil)
        return DefinitionSection(
            title: "Flag",
            fields: [key] + keptKey(form) + [name(form), .type(form)] + choices(form) + defaults(form)
                + [description(form)] + breaking(form))
    }

    static func options(_ form: DefinitionForm) -> [DefinitionSection] {
        let values = DefinitionSection(
            title: "Values", fields: [emptyDefault(form)] + limits(form), detail: DefinitionForm.furtherValues)
        return [values, display(form), rules(form)]
    }

    static func ownership(_ form: DefinitionForm) -> DefinitionSection {
        DefinitionSection(
            title: "Ownership",
            fields: [
                .line("owner", "Owner", form, hint: "Team or person responsible."),
                .line("tags", "Tags", form, hint: "Comma-separated."),
                .day("expires", "Expires", form, hint: "When this flag should be removed (UTC)."),
            ])
    }

    private static func name(_ form: DefinitionForm) -> DefinitionField {
        .line("name", "Name", form, hint: "Defaults to the key path.")
    }

    private static func description(_ form: DefinitionForm) -> DefinitionField {
        .area("description", "Description", form, hint: "What the flag is for.")
    }

    /// The box for an unusual key path, once one was entered.
    private static func keptKey(_ form: DefinitionForm) -> [DefinitionField] {
        guard form.isKeyUnusual || form.isChecked(DefinitionForm.keptKey) else { return [] }
        return [.box(DefinitionForm.keptKey, "Use this key path anyway", form)]
    }

    private static func breaking(_ form: DefinitionForm) -> [DefinitionField] {
        guard form.problems["breaksValues"] != nil || form.isChecked("breaksValues") else { return [] }
        return [
            .box(
                "breaksValues", "Save anyway", form,
                hint: "Those values become invalid and are ignored until someone changes them.")
        ]
    }

    private static func defaults(_ form: DefinitionForm) -> [DefinitionField] {
        let hint = "Used when no provider has a value."
        return [
            .radios(
                DefinitionForm.booleanDefault, "Default", form,
                [("false", "Off"), ("true", "On"), ("", "None")], hint: hint),
            .value("default", "Default", form, hint: hint),
        ]
    }

    private static func emptyDefault(_ form: DefinitionForm) -> DefinitionField {
        .box("emptyDefault", "Default is empty text", form)
    }

    private static func choices(_ form: DefinitionForm) -> [DefinitionField] {
        [
            .area("choices", "Choices", form, hint: "One per line."),
            .radios(
                DefinitionForm.choiceKind, "Choice type", form,
                [("string", "Text"), ("integer", "Whole number")]),
        ]
    }

    private static func limits(_ form: DefinitionForm) -> [DefinitionField] {
        [
            .area("suggestions", "Suggestions", form, hint: "Values to offer in the editor, one per line."),
            .choice(
                "storage", "Stored as", form, FlagStorage.allCases.map(\.rawValue), none: "Keep as stored",
                hint: "RealFlags stores json as data, and date as string."),
            .choice(
                "format", "Format", form, FlagFormat.allCases.map(\.rawValue), none: "Any number",
                hint: "The app’s number type. Values outside its range are refused."),
            .area(
                "items", "Element type", form,
                hint:
                    "JSON, for example {\"type\": \"integer\", \"format\": \"uint8\"}. Leave empty to allow anything.",
                least: 1),
            .area(
                "properties", "Members", form,
                hint:
                    "JSON by member name, for example {\"columns\": {\"type\": \"integer\"}}. Other members are allowed.",
                least: 1),
            .line("minimum", "Minimum", form, inputMode: "decimal"),
            .line("maximum", "Maximum", form, inputMode: "decimal"),
            .line("pattern", "Pattern", form, hint: "Regular expression that the whole text must match."),
        ]
    }

    private static func display(_ form: DefinitionForm) -> DefinitionSection {
        DefinitionSection(
            title: "Display",
            fields: [
                .line(
                    "group", "Group", form,
                    hint: "Group to show the flag in, for example shop/beta. Defaults to the key path’s group."),
                .line("order", "Order", form, hint: "Lower numbers come first in the group.", inputMode: "numeric"),
                .line("icon", "Icon", form, hint: "SF Symbol name, for example cart."),
            ])
    }

    static func rules(_ form: DefinitionForm) -> DefinitionSection {
        DefinitionSection(
            title: "Rules",
            fields: [
                .box("isLocked", "Locked", form, hint: "Can’t be changed here until an admin unlocks it."),
                .box("requiresRestart", "Requires restart", form, hint: "Changes apply after the app restarts."),
                .box("isOptional", "Optional", form, hint: "The app works without a value."),
                .box(
                    "isInternal", "Internal", form, hint: "Hides the flag from everyone here, including admins.",
                    why:
                        "Internal flags don’t appear in the list, the history or exports. To show one again, edit the "
                        + "manifest file or start Flagboard with --show-internal."),
            ])
    }
}
