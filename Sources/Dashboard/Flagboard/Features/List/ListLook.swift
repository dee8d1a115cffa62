/// What a person chooses about how the list looks.
struct ListLook: Hashable, PagePart {
    let densities: [ChoiceOption]
    let columns: [ChoiceOption]

    init(_ settings: ViewerSettings) {
        let choices: [(ViewerSettings.Density?, String)] = [
            (nil, "One line a flag above 20 flags"), (.compact, "One line a flag"), (.roomy, "With descriptions"),
        ]
        densities = choices.map { density, label in
            ChoiceOption(
                value: density?.rawValue ?? "", label: label, isSelected: density == settings.density,
                id: "density-\(density?.rawValue ?? "usual")")
        }
        columns = ListColumn.allCases.map { column in
            ChoiceOption(
                value: column.rawValue, label: column.label, isSelected: settings.listColumns.contains(column),
                id: "column-\(column.rawValue)")
        }
    }
}
