import FeatureFlags
import FlagChanges
import Foundation

/// One line of a table of facts.
struct FlagFact: Hashable, PagePart {
    let label: String
    let text: String
    /// Whether the text is shown as code.
    let isCode: Bool

    init(_ label: String, _ text: String, isCode: Bool = false) {
        self.label = label
        self.text = text
        self.isCode = isCode
    }

    /// What a flag's definition says, apart from name, description, key path and tags.
    static func facts(of entry: FlagEntry, in view: CatalogueView) -> [FlagFact] {
        let definition = entry.definition
        let metadata = definition.metadata
        var facts = [FlagFact("Type", definition.type.rawValue)]
        let fallback = definition.defaultValue
        facts.append(
            FlagFact(
                "Default", fallback == nil ? "none" : ShownValue(whole: fallback).plain, isCode: fallback != nil))
        facts += constraints(definition)
        if let storage = definition.storage { facts.append(FlagFact("Stored as", storage.rawValue)) }
        if !definition.suggestions.isEmpty {
            facts.append(FlagFact("Suggestions", list(definition.suggestions), isCode: true))
        }
        if let icon = metadata.uiIcon { facts.append(FlagFact("Icon", icon, isCode: true)) }
        if let owner = metadata.owner { facts.append(FlagFact("Owner", owner)) }
        if let expires = metadata.expires {
            let day = TimeText.dayText(expires)
            facts.append(FlagFact("Expires", day.contains("T") ? TimeText(expires).text : "\(day) (UTC)"))
        }
        if let reason = view.staleness(of: entry), !view.isExpired(entry) { facts.append(FlagFact("Stale", reason)) }
        if let reason = metadata.retired { facts.append(FlagFact("Retired", reason.isEmpty ? "yes" : reason)) }
        facts.append(FlagFact("Locked", metadata.isLocked ? "yes" : "no"))
        facts.append(FlagFact("Requires restart", metadata.requiresRestart ? "yes" : "no"))
        if metadata.isInternal { facts.append(FlagFact("Internal", "yes")) }
        facts.append(FlagFact("Defined", entry.isDefined ? "in the manifest" : "no: inferred from a value"))
        if let own = ownFields(of: entry) { facts.append(own) }
        return facts
    }

    /// What a row of the list tells of a definition: its type, its default, whose it is, and until when.
    static func brief(of entry: FlagEntry) -> [FlagFact] {
        let metadata = entry.definition.metadata
        let fallback = ShownValue(entry.definition.defaultValue, limit: 60).plain
        return [
            FlagFact("Type", entry.definition.type.rawValue), FlagFact("Default", fallback, isCode: true),
            metadata.owner.map { FlagFact("Owner", $0) },
            metadata.expires.map { FlagFact("Expires", TimeText($0).text) },
        ].compactMap(\.self)
    }

    private static func constraints(_ definition: FlagDefinition) -> [FlagFact] {
        let constraints = definition.constraints
        var facts: [FlagFact] = []
        if !constraints.choices.isEmpty {
            facts.append(FlagFact("Choices", list(constraints.choices), isCode: true))
        }
        if let minimum = constraints.minimum {
            facts.append(FlagFact("Minimum", minimum.text, isCode: true))
        }
        if let maximum = constraints.maximum {
            facts.append(FlagFact("Maximum", maximum.text, isCode: true))
        }
        if let pattern = constraints.pattern { facts.append(FlagFact("Pattern", pattern, isCode: true)) }
        return facts
    }

    private static func list(_ values: [FlagValue]) -> String {
        values.map { ShownValue($0).inSentence }.joined(separator: ", ")
    }
}
