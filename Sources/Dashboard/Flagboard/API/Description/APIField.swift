import FeatureFlags
import FeatureFlagsXML

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

extension APIField {
    /// A key path as text.
    static let keyPath = JSONShape.schema(keyPathSchema)
    /// A key path as text, of any length: one that is too long is of no flag.
    static let keyPathSchema = ManifestJSONSchema.keyPath.filter { $0.key != "maxLength" }
    /// A day, or a time.
    static let time = JSONShape.schema([
        "anyOf": [["type": "string", "format": "date"], ["type": "string", "format": "date-time"]]
    ])
    /// The number of a change.
    static let change = JSONShape.schema([
        "type": "integer", "minimum": .integer(Int128(Int64.min)), "maximum": .integer(Int128(Int64.max)),
    ])
    /// A reason that the history keeps.
    static let reasonText = JSONShape.schema(["type": "string", "maxLength": 1000])

    static let reason = APIField("reason", reasonText, "Why, for the history.")
    static let preview = APIField("preview", .boolean, "If true, only returns a preview of the changes.")
    static let provider = APIField("provider", "The provider to change; without it, the first that can be.")
    static let limit = APIField(
        "limit", .schema(["type": "integer", "minimum": 1, "maximum": .integer(Int128(FlagPortion.largestLimit))]),
        "How many at most.")
    static let words = APIField("q", "Words that are all found in it.")
}
