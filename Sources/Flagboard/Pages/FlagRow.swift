import FeatureFlags
import FlagChanges
import Mustache

/// One flag in the list.
struct FlagRow: Hashable, Sendable {
    let key: String
    /// The key path as it is shown.
    let keyText: String
    let href: String
    let name: String
    let summary: String?
    /// The state's name, for the style sheet and for tests.
    let state: String
    let states: [StateLabel]
    let type: String
    let value: ShownValue
    let source: String
    let marks: [FlagMark]
    /// What is broken, and in which provider.
    let problems: [String]
    let tags: [TextLink]
    /// Whether the row can be ticked, to change it with others.
    let canSelect: Bool
    /// Where it stands and what happened to it, in a list without groups.
    let trail: FlagTrail?

    init(_ entry: FlagEntry, in view: CatalogueView, trail: FlagTrail? = nil) {
        let definition = entry.definition
        key = entry.key.text
        keyText = entry.key.shownText
        href = PageLink.flag(entry.key)
        name = definition.shownName
        summary = Self.summary(definition.metadata.description)
        state = entry.state.rawValue
        states = StateLabel.labels(of: entry, in: view)
        type = definition.type.rawValue
        value = ShownValue(entry.resolution.effectiveValue, limit: 60)
        source = entry.resolution.source.words
        marks = FlagMark.marks(of: entry, in: view)
        problems = view.problems(of: entry)
        tags = definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) }
        canSelect = view.canSelect
        self.trail = trail
    }

    private static func summary(_ description: String) -> String? {
        guard !description.isEmpty else { return nil }
        return description.count > 152 ? description.prefix(140) + "…" : description
    }
}

extension FlagRow: MustacheParent {
    /// The property of this name; written out, since a list has many rows and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "key": key
        case "keyText": keyText
        case "href": href
        case "name": self.name
        case "summary": summary
        case "state": state
        case "states": states
        case "type": type
        case "value": value
        case "source": source
        case "marks": marks
        case "problems": problems
        case "tags": tags
        case "canSelect": canSelect
        case "trail": trail
        default: nil
        }
    }
}
