import Mustache

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

extension TextLink: MustacheParent {
    /// The property of this name; written out, since a list has many and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "label": label
        case "href": href
        default: nil
        }
    }
}
