/// An item of a query, or a member of a body, that programs send.
struct APIField: Sendable {
    let name: String
    let shape: JSONShape
    /// What it means, in a sentence.
    let about: String
    let isRequired: Bool

    /// Names a field.
    init(_ name: String, _ shape: JSONShape, _ about: String, isRequired: Bool = false) {
        (self.name, self.shape, self.about, self.isRequired) = (name, shape, about, isRequired)
    }

    /// Names a field that holds text.
    init(_ name: String, _ about: String, isRequired: Bool = false) {
        self.init(name, .text, about, isRequired: isRequired)
    }
}
