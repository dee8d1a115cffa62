import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

struct FlagFact: Hashable, PagePart {
    let label: String
    let text: String
    let isCode: Bool
    /// `true` for several lines of code, which need the width.
    let isBlock: Bool

    init(_ label: String, _ text: String, isCode: Bool = false) {
        self.label = label
        self.text = text
        self.isCode = isCode
        isBlock = isCode && text.contains("\n")
    }

    /// Omits name, description, key path and tags.
    static func facts(of entry: FlagEntry, in view: CatalogueView) -> [FlagFact] {
        let definition = entry.definition
        let metadata = definition.metadata
        var facts = [FlagFact("Type", definition.type.rawValue)]
        let fallback = definition.defaultValue
        facts.append(
            FlagFact(
                "Default",
                fallback == nil
                    ? definition.computed == .default ? ShownValue.computed : "None"
                    : ShownValue(whole: fallback).plain, isCode: fallback != nil))
        if let computed = definition.computed {
            facts.append(FlagFact("Computed by the app", computed.rawValue.capitalized))
        }
        if !definition.excludedProviders.isEmpty {
            facts.append(FlagFact("Never read from", definition.excludedProviders.joined(separator: ", ")))
        }
        if definition.isOptional { facts.append(FlagFact("Optional", "Yes, can have no value")) }
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
        if let reason = metadata.retired { facts.append(FlagFact("Deprecated", reason.isEmpty ? "Yes" : reason)) }
        facts.append(FlagFact("Locked", metadata.isLocked ? "Yes" : "No"))
        facts.append(FlagFact("Restart", metadata.requiresRestart ? "Required" : "Not needed"))
        if metadata.isInternal { facts.append(FlagFact("Internal", "Yes")) }
        facts.append(FlagFact("Defined in", entry.isDefined ? "Manifest" : "Nowhere (inferred)"))
        if let own = ownFields(of: entry) { facts.append(own) }
        return facts
    }

    static func brief(of entry: FlagEntry) -> [FlagFact] {
        let metadata = entry.definition.metadata
        let fallback =
            entry.definition.computed == .default
            ? ShownValue.computed : ShownValue(entry.definition.defaultValue, limit: 60).plain
        return [
            FlagFact("Type", entry.definition.type.rawValue),
            FlagFact("Default", fallback, isCode: entry.definition.computed != .default),
            metadata.owner.map { FlagFact("Owner", $0) },
            metadata.expires.map { FlagFact("Expires", TimeText($0).text) },
        ].compactMap(\.self)
    }

    private static func constraints(_ definition: FlagDefinition) -> [FlagFact] {
        let constraints = definition.constraints
        var facts: [FlagFact] = []
        if !constraints.choices.isEmpty {
            facts.append(FlagFact("Choices", list(constraints.choices, between: "\n"), isCode: true))
        }
        if let minimum = constraints.minimum {
            facts.append(FlagFact("Minimum", minimum.text, isCode: true))
        }
        if let maximum = constraints.maximum {
            facts.append(FlagFact("Maximum", maximum.text, isCode: true))
        }
        if let format = constraints.format { facts.append(FlagFact("Format", format.rawValue, isCode: true)) }
        if let items = constraints.items {
            let label = definition.type == .array ? "Each element" : "Each value"
            facts.append(FlagFact(label, items.expectation))
        }
        for (name, schema) in constraints.properties.sorted(by: { $0.key < $1.key }) {
            facts.append(FlagFact("Member \(name)", "\(schema.expectation)\(schema.isOptional ? ", optional" : "")"))
        }
        if let pattern = constraints.pattern { facts.append(FlagFact("Pattern", pattern, isCode: true)) }
        return facts
    }

    private static func list(_ values: [FlagValue], between separator: String = ", ") -> String {
        values.map { ShownValue($0).inSentence }.joined(separator: separator)
    }
}

extension PageNotice {
    private static let namedFields = 5

    /// Returns a notice of the manifest's likely mistyped fields, if any.
    static func mistakenFields(_ catalogue: FlagCatalogue) -> PageNotice? {
        let fields = catalogue.mistakenFields
        guard !fields.isEmpty else { return nil }
        let count = fields.count == 1 ? "1 field" : "\(fields.count) fields"
        let named = fields.prefix(namedFields).map { "\($0.owner.shownWords)\($0.words)" }.joined(separator: " ")
        let rest = fields.count > namedFields ? " And \(fields.count - namedFields) more." : ""
        return PageNotice("warning", "\(count) in the manifest ignored.", "\(named)\(rest)")
    }
}

extension UnknownField {
    fileprivate var words: String { "\(name): \(advice ?? "unknown field.")" }
}

extension UnknownField.Owner {
    fileprivate var shownWords: String {
        switch self {
        case .manifest: ""
        case .flag(let key): "\(key.shownText), "
        case .collection(let key): "the group \(key.shownText), "
        }
    }
}

extension PageRemark {
    /// Returns a remark about the definition's likely mistyped fields, if any.
    static func mistakenFields(_ entry: FlagEntry) -> PageRemark? {
        let fields = entry.unknownFields.filter { $0.intention != nil }
        guard !fields.isEmpty else { return nil }
        let isOne = fields.count == 1
        return PageRemark(
            heading: isOne ? "A definition field has no effect" : "Definition fields have no effect",
            advice: fields.map(\.words).joined(separator: " ")
                + (isOne
                    ? " Correct it in the manifest. Until then, Flagboard ignores it."
                    : " Correct them in the manifest. Until then, Flagboard ignores them.")
        )
    }
}

extension FlagFact {
    static func ownFields(of entry: FlagEntry) -> FlagFact? {
        let names = entry.unknownFields.filter { $0.intention == nil }.map(\.name)
        guard !names.isEmpty else { return nil }
        return FlagFact("Other fields", "\(names.joined(separator: ", ")) (kept as they are, without effect here)")
    }
}
