/// A link with its text.
struct TextLink: Hashable, Sendable {
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
struct EmptyState: Hashable, Sendable {
    let heading: String
    let advice: String
    let link: TextLink?
}

extension TextLink: PagePart {
    static let fields: PageFields<Self> = ["label": .of(\.label), "href": .of(\.href)]
}

extension ChoiceOption: PagePart {
    static let fields: PageFields<Self> = [
        "value": .of(\.value), "label": .of(\.label), "isSelected": .of(\.isSelected), "id": .of(\.id),
    ]
}

extension EmptyState: PagePart {
    static let fields: PageFields<Self> = ["heading": .of(\.heading), "advice": .of(\.advice), "link": .of(\.link)]
}
