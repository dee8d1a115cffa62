import FeatureFlags
import FlagChanges
import Mustache

/// One flag in the list.
struct FlagRow: Hashable, Sendable {
    let key: String
    let href: String
    let name: String
    let summary: String?
    let state: String
    let stateLabel: String
    let stateSymbol: String
    let type: String
    let value: String
    let valueStyle: String
    let source: String
    let marks: [FlagMark]
    /// What is broken, and in which provider.
    let problems: [String]
    let tags: [TextLink]

    init(_ entry: FlagEntry) {
        let definition = entry.definition
        let state = StateLabel(entry.state)
        let value = ShownValue(entry.resolution.effectiveValue, limit: 60)
        key = entry.key.text
        href = PageLink.flag(entry.key)
        name = definition.displayName
        summary = Self.summary(definition.metadata.description)
        self.state = state.name
        stateLabel = state.label
        stateSymbol = state.symbol
        type = definition.type.rawValue
        self.value = value.text
        valueStyle = value.style
        source = entry.resolution.source.words
        marks = FlagMark.marks(of: entry)
        problems = entry.resolution.readings.compactMap {
            guard case .broken(let problem, _) = $0.answer else { return nil }
            return "\($0.provider): \(problem)"
        }
        tags = definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) }
    }

    private static func summary(_ description: String) -> String? {
        guard !description.isEmpty else { return nil }
        return description.count > 140 ? description.prefix(140) + "…" : description
    }
}

extension FlagRow: MustacheParent {
    /// The property of this name; written out, since a list has many rows and reflection is slow.
    func child(named name: String) -> Any? {
        switch name {
        case "key": key
        case "href": href
        case "name": self.name
        case "summary": summary
        case "state": state
        case "stateLabel": stateLabel
        case "stateSymbol": stateSymbol
        case "type": type
        case "value": value
        case "valueStyle": valueStyle
        case "source": source
        case "marks": marks
        case "problems": problems
        case "tags": tags
        default: nil
        }
    }
}
