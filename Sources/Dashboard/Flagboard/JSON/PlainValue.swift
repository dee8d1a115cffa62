import FeatureFlags
import FlagHistory

/// A flag's value as plain JSON: of a `json` flag that JSON in whatever layout it is stored, a date is ISO 8601 text, other
/// data is base64 text, and a number that JSON has no form for is its name.
struct PlainValue: Sendable {
    let json: JSONValue

    /// A value that is JSON already.
    init(json: JSONValue) { self.json = json }

    /// A value of a flag, or where its type is unknown, a value by itself.
    init(_ value: FlagValue, of type: FlagType?) {
        json = FlagJSON.json(value, of: type)
    }

    /// A value before or after a change: of a flag, or a flag's entry in the manifest.
    init(_ value: FlagValue, of event: HistoryEvent) {
        json = event.provider == nil ? FlagJSON.json(manifest: value) : FlagJSON.json(value, of: event.type)
    }

    /// A value in a preview or a conflict: of a flag, or a flag's entry in the manifest.
    init(_ value: FlagValue, of type: FlagType?, isOfDefinition: Bool) {
        json = isOfDefinition ? FlagJSON.json(manifest: value) : FlagJSON.json(value, of: type)
    }
}
