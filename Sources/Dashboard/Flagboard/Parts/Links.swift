/// A link with its text.
struct TextLink: Hashable, PagePart {
    let label: String
    let href: String
}

/// One entry of a select or of a group of radio buttons.
struct ChoiceOption: Hashable, Sendable {
    let value: String
    let label: String
    let isSelected: Bool
    /// What ties a radio button to its label.
    let id: String

    init(value: String, label: String, isSelected: Bool, id: String = "") {
        self.value = value
        self.label = label
        self.isSelected = isSelected
        self.id = id
    }
}

/// What a page says where it has nothing to list.
struct EmptyState: Hashable, PagePart {
    let heading: String
    let advice: String
    let link: TextLink?
}
