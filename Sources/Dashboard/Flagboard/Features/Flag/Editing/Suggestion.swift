import FeatureFlags
import FlagChanges

/// A value that the form of a flag offers: a link to the page whose field holds it.
///
/// A link works for a field of any kind and without a script; a `datalist` goes with no field of several lines, and
/// shows only what begins with the value that is in the field already.
struct Suggestion: Hashable, PagePart {
    let label: String
    let href: String

    /// The item of a page's query that names the suggestion to start from, by its number from 1.
    static let query = "suggestion"

    /// The suggestions of a flag.
    ///
    /// - Parameter provider: The provider that the form changes, where that is not the usual one.
    static func suggestions(of definition: FlagDefinition, provider: String?) -> [Suggestion] {
        definition.suggestions.enumerated().map { index, value in
            let page = PageLink.flag(definition.key, provider: provider)
            return Suggestion(
                label: ShownValue(value, limit: 60).plain,
                href: PageLink.adding(query, String(index + 1), to: page) + "#editor-title")
        }
    }

    /// The suggestion that a page is asked to start from.
    ///
    /// - Returns: The value; `nil` where the flag has none of that number, as after a change of the manifest.
    static func value(_ number: String?, of definition: FlagDefinition) -> FlagValue? {
        guard let place = number.flatMap({ Int($0) }), place >= 1 else { return nil }
        return definition.suggestions.dropFirst(place - 1).first
    }
}
