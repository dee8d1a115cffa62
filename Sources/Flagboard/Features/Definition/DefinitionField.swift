import FeatureFlags

/// One field of the form that defines a flag; exactly one of its forms is filled.
struct DefinitionField: Hashable, Sendable {
    let name: String
    let id: String
    let label: String
    let hint: String?
    let problem: String?
    /// The ids of the texts that describe the field.
    let describedBy: String?
    /// The types that the field is for; `nil` where it is for all.
    let types: String?
    private(set) var line: Line?
    private(set) var area: Area?
    private(set) var choice: Choice?
    private(set) var box: Box?

    /// A field of one line.
    struct Line: Hashable, Sendable {
        let content: String
        let inputMode: String
        let isRequired: Bool
    }

    /// A field of several lines.
    struct Area: Hashable, Sendable {
        let content: String
        let rows: Int
    }

    /// A select.
    struct Choice: Hashable, Sendable {
        let options: [ChoiceOption]
    }

    /// A checkbox.
    struct Box: Hashable, Sendable {
        let isChecked: Bool
    }

    private init(_ name: String, _ label: String, _ hint: String?, _ problem: String?) {
        self.name = name
        id = "field-\(name)"
        self.label = label
        self.hint = hint
        self.problem = problem
        let descriptions = [problem.map { _ in "field-\(name)-problem" }, hint.map { _ in "field-\(name)-hint" }]
            .compactMap(\.self)
        describedBy = descriptions.isEmpty ? nil : descriptions.joined(separator: " ")
        types = DefinitionForm.types(for: name)?.map(\.rawValue).joined(separator: " ")
    }

    /// A field of one line; of more where it holds more, since a browser drops the ends of lines from one.
    static func line(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil, inputMode: String = "text",
        isRequired: Bool = false
    ) -> DefinitionField {
        if form[name].contains(where: \.isNewline) { return area(name, label, form, hint: hint) }
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.line = Line(content: form[name], inputMode: inputMode, isRequired: isRequired)
        return field
    }

    /// A field of several lines.
    static func area(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil, least: Int = 2
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        let content = form[name]
        let rows = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .reduce(0) { $0 + 1 + $1.utf16.count / 72 }
        field.area = Area(content: content, rows: min(max(rows, least), 20))
        return field
    }

    /// A select.
    static func choice(
        _ name: String, _ label: String, _ form: DefinitionForm, _ values: [String], hint: String? = nil
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.choice = Choice(
            options: values.map { ChoiceOption(value: $0, label: $0, isSelected: $0 == form[name]) })
        return field
    }

    /// A select of layouts, and of none.
    static func layouts(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        let none = ChoiceOption(value: "", label: "as it is or last was", isSelected: form[name].isEmpty)
        field.choice = Choice(
            options: [none]
                + FlagStorage.allCases.map(\.rawValue).map {
                    ChoiceOption(value: $0, label: $0, isSelected: $0 == form[name])
                })
        return field
    }

    /// A checkbox.
    static func box(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.box = Box(isChecked: form.isChecked(name))
        return field
    }
}

/// Fields that belong together.
struct DefinitionSection: Hashable, Sendable {
    let title: String
    let fields: [DefinitionField]

    /// The fields of a definition.
    ///
    /// - Parameters:
    ///   - form: What they hold.
    ///   - isNew: Whether the flag is yet to be defined, and so its key path is asked for.
    /// - Returns: The sections, in order.
    static func all(_ form: DefinitionForm, isNew: Bool) -> [DefinitionSection] {
        let key = DefinitionField.line(
            "key", "Key path", form,
            hint: "Where the flag stands, such as checkout/new_button: groups and name joined by /. In a name, ~ is "
                + "written ~0 and / is written ~1.", isRequired: true)
        let breaking: [DefinitionField] =
            form.problems["breaksValues"] == nil && !form.isChecked("breaksValues")
            ? []
            : [
                .box(
                    "breaksValues", "Define it so all the same", form,
                    hint: "Those values are broken then: they are passed over until somebody changes them.")
            ]
        return [
            DefinitionSection(
                title: "Flag",
                fields: (isNew ? [key] : []) + [
                    .choice("type", "Type", form, FlagTypeName.all),
                    .line("name", "Name", form, hint: "Empty: made from the key path."),
                    .area("description", "Description", form, hint: "What the flag is for."),
                ] + breaking),
            DefinitionSection(
                title: "Values",
                fields: [
                    .area(
                        "default", "Default", form,
                        hint: "What the flag is where no provider holds a value, as its type wants it: true or false, "
                            + "12, 0.5, text, 2026-01-31, base64, JSON. Empty: none."),
                    .box("emptyDefault", "The default is the empty text \"\"", form, hint: "For the type string only."),
                    .area(
                        "choices", "Choices", form,
                        hint: "One on each line, in the order to offer them. For the type choice only."),
                    .area(
                        "suggestions", "Suggestions", form,
                        hint:
                            "Values that the editor offers, one on each line; any other may be set as well. Not for bool "
                            + "and choice, which offer all that there are."),
                    .layouts(
                        "storage", "Stored as", form,
                        hint:
                            "The layout in the file. Of json: dictionary, or data that holds JSON, as RealFlags stores a "
                            + "Codable value. Of date: string, as RealFlags stores it, or date."),
                    .line("minimum", "Minimum", form, hint: "For integer and double only.", inputMode: "decimal"),
                    .line("maximum", "Maximum", form, hint: "For integer and double only.", inputMode: "decimal"),
                    .line(
                        "pattern", "Pattern", form,
                        hint: "A regular expression that the whole text must match. For string and url only."),
                ]),
            DefinitionSection(
                title: "Looking after it",
                fields: [
                    .line("owner", "Owner", form, hint: "Who answers for the flag."),
                    .line("tags", "Tags", form, hint: "Words to find it by, with commas between them."),
                    .line(
                        "expires", "Expires", form,
                        hint: "The day on which the flag should be gone, such as 2027-01-31 (UTC)."),
                    .line(
                        "order", "Order", form, hint: "A whole number: lower ones come first in the group.",
                        inputMode: "numeric"),
                    .line("icon", "Icon", form, hint: "The name of an icon, for apps that show one."),
                ]),
            DefinitionSection(
                title: "Rules",
                fields: [
                    .box(
                        "isLocked", "Locked", form,
                        hint: "Nobody changes its values here, until an admin unlocks it."),
                    .box(
                        "requiresRestart", "Requires restart", form,
                        hint: "A change takes effect when the app restarts; Flagboard lists what waits."),
                    .box(
                        "isInternal", "Internal", form,
                        hint: "Careful: the flag then does not exist here any more, for admins neither: not in the "
                            + "list, the history or an export. Only whoever edits the manifest’s file, or starts Flagboard with "
                            + "--show-internal, brings it back."),
                ]),
        ]
    }
}

extension DefinitionSection: PagePart {
    static let fields: PageFields<Self> = ["title": .of(\.title), "fields": .of(\.fields)]
}

extension DefinitionField: PagePart {
    static let fields: PageFields<Self> = [
        "name": .of(\.name), "id": .of(\.id), "label": .of(\.label), "hint": .of(\.hint), "problem": .of(\.problem),
        "describedBy": .of(\.describedBy), "types": .of(\.types), "line": .of(\.line), "area": .of(\.area),
        "choice": .of(\.choice), "box": .of(\.box),
    ]
}

extension DefinitionField.Line: PagePart {
    static let fields: PageFields<Self> = [
        "content": .of(\.content), "inputMode": .of(\.inputMode), "isRequired": .of(\.isRequired),
    ]
}

extension DefinitionField.Area: PagePart {
    static let fields: PageFields<Self> = ["content": .of(\.content), "rows": .of(\.rows)]
}

extension DefinitionField.Choice: PagePart {
    static let fields: PageFields<Self> = ["options": .of(\.options)]
}

extension DefinitionField.Box: PagePart {
    static let fields: PageFields<Self> = ["isChecked": .of(\.isChecked)]
}
