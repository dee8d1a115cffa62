import FeatureFlags

/// A field of a definition's form.
///
/// Exactly one kind of input is set.
struct DefinitionField: Hashable, PagePart {
    let name: String
    let id: String
    let label: String
    let hint: String?
    /// More advice, folded.
    private(set) var why: String?
    let problem: String?
    let describedBy: String?
    /// The field's name if only some types use it, as in ``ChoiceOption/details``.
    let detail: String?
    private(set) var line: Line?
    private(set) var area: Area?
    private(set) var choice: Choice?
    private(set) var radios: Radios?
    private(set) var box: Box?

    struct Line: Hashable, PagePart {
        /// `text` or `date`.
        let kind: String
        let content: String
        let inputMode: String
        let isRequired: Bool
        let takesFocus: Bool
        var offers: Offers?
    }

    struct Offers: Hashable, PagePart {
        let listID: String
        let values: [String]
    }

    struct Area: Hashable, PagePart {
        let content: String
        let rows: Int
    }

    struct Choice: Hashable, PagePart {
        let options: [ChoiceOption]
    }

    struct Radios: Hashable, PagePart {
        let options: [ChoiceOption]
    }

    struct Box: Hashable, PagePart {
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
        detail = DefinitionForm.types(for: name).map { _ in name }
    }

    /// Several lines if the content has them, since browsers remove line breaks from an `input`.
    static func line(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil, inputMode: String = "text",
        isRequired: Bool = false, takesFocus: Bool = false
    ) -> DefinitionField {
        if form[name].contains(where: \.isNewline) { return area(name, label, form, hint: hint) }
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.line = Line(
            kind: "text", content: form[name], inputMode: inputMode, isRequired: isRequired, takesFocus: takesFocus)
        return field
    }

    /// A line for what fits in one, else an area.
    static func value(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil
    ) -> DefinitionField {
        switch FlagType(rawValue: form["type"])?.rules.field {
        case .line(let content): return line(name, label, form, hint: hint, inputMode: content.rawValue)
        case .choices:
            var field = line(name, label, form, hint: hint)
            let choices = form["choices"].split(whereSeparator: \.isNewline).map(String.init)
            if !choices.isEmpty {
                field.line?.offers = Offers(listID: "\(field.id)-offers", values: choices)
            }
            return field
        case .toggle, .area, nil: return area(name, label, form, hint: hint)
        }
    }

    /// A line of text for anything that a date field can't hold, such as a time.
    static func day(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil
    ) -> DefinitionField {
        let content = form[name]
        guard content.isEmpty || content.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
            return line(name, label, form, hint: hint)
        }
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.line = Line(kind: "date", content: content, inputMode: "text", isRequired: false, takesFocus: false)
        return field
    }

    static func radios(
        _ name: String, _ label: String, _ form: DefinitionForm, _ values: [(value: String, label: String)],
        hint: String? = nil
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.radios = Radios(
            options: values.enumerated().map { place, item in
                ChoiceOption(
                    value: item.value, label: item.label, isSelected: item.value == form[name],
                    id: "field-\(name)-\(place + 1)")
            })
        return field
    }

    /// The field has content or a problem, so it must not be folded.
    func isInUse(_ form: DefinitionForm) -> Bool {
        problem != nil || (box == nil ? !form[name].isEmpty && radios == nil : form.isChecked(name))
    }

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

    /// `none` is the label of the option without a value.
    static func choice(
        _ name: String, _ label: String, _ form: DefinitionForm, _ values: [String], none: String? = nil,
        hint: String? = nil
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        let none = none.map { [ChoiceOption(value: "", label: $0, isSelected: form[name].isEmpty)] } ?? []
        field.choice = Choice(
            options: none + values.map { ChoiceOption(value: $0, label: $0, isSelected: $0 == form[name]) })
        return field
    }

    /// The select of the type, whose options name the fields that they use.
    static func type(_ form: DefinitionForm) -> DefinitionField {
        var field = DefinitionField("type", "Type", nil, form.problems["type"])
        field.choice = Choice(
            options: FlagType.allCases.map { type in
                ChoiceOption(
                    value: type.rawValue, label: type.rawValue, isSelected: type.rawValue == form["type"],
                    details: DefinitionForm.details(of: type).joined(separator: " "))
            })
        return field
    }

    static func box(
        _ name: String, _ label: String, _ form: DefinitionForm, hint: String? = nil, why: String? = nil
    ) -> DefinitionField {
        var field = DefinitionField(name, label, hint, form.problems[name])
        field.why = why
        field.box = Box(isChecked: form.isChecked(name))
        return field
    }
}
