/// A text that a person typed, beside what it is.
struct TypedValue: Hashable, PagePart {
    let label: String
    let text: String
    /// What ties the text to its label.
    let id: String

    /// What a form held, as far as it held anything.
    static func all(value: String?, reason: String) -> [TypedValue] {
        var values: [TypedValue] = []
        if let value { values.append(TypedValue(label: "Value", text: value, id: "typed-value")) }
        if !reason.isEmpty { values.append(TypedValue(label: "Reason", text: reason, id: "typed-reason")) }
        return values
    }
}
