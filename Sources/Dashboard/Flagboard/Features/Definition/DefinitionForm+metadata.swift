import FeatureFlags
import Foundation

extension DefinitionForm {
    mutating func readMetadata(into metadata: inout FlagMetadata) {
        metadata.name = text("name", like: metadata.name)
        metadata.description = text("description", like: metadata.description) ?? ""
        metadata.owner = text("owner", like: metadata.owner)
        metadata.uiIcon = text("icon", like: metadata.uiIcon)
        if self["tags"] != LineEnds.normalized(metadata.tags.joined(separator: ", ")) {
            metadata.tags = TagText.tags(in: self["tags"], known: metadata.tags)
        }
        metadata.isLocked = isChecked("isLocked")
        metadata.isInternal = isChecked("isInternal")
        metadata.requiresRestart = isChecked("requiresRestart")
        let order = trimmed("order")
        metadata.order = order.isEmpty ? nil : Int(order)
        if !order.isEmpty, metadata.order == nil {
            problems["order"] = "“\(order)” isn’t a whole number, or is too large."
        }
        readExpiry(into: &metadata)
    }

    mutating func readGroup(into definition: inout FlagDefinition) {
        guard texts["group"] != nil, self["group"] != definition.group?.text ?? "" else { return }
        let text = trimmed("group")
        definition.group = FlagKeyPath(text: text)
        if definition.group?.hasNamelessComponent == true { definition.group = nil }
        if !text.isEmpty, definition.group == nil {
            problems["group"] = "“\(text)” isn’t a group path. Join names with / and write ~ as ~0."
        }
    }

    private mutating func readExpiry(into metadata: inout FlagMetadata) {
        let text = trimmed("expires")
        if text == metadata.expires.map(TimeText.dayText) ?? "" { return }
        guard !text.isEmpty else {
            metadata.expires = nil
            return
        }
        let date = FlagDefinition(key: FlagKeyPath(components: ["expires"]), type: .date)
        guard case .success(.string(let stored)) = Result(catching: { try date.parse(text) }),
            let expires = FlagDate.parse(stored)
        else {
            problems["expires"] = "Enter a date like 2027-01-31."
            return
        }
        metadata.expires = expires
    }
}

/// Tags as people type them, separated by commas.
enum TagText {
    /// Only `known` tags may contain commas.
    static func tags(in text: String, known: some Sequence<String>) -> [String] {
        let long = Set(known.filter { $0.contains(",") })
        let most = long.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }.max() ?? 1
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)[...]
        var (tags, seen): ([String], Set<String>) = ([], [])
        while !parts.isEmpty {
            let count = (1...min(most, parts.count)).last { long.contains(tag(of: parts.prefix($0))) } ?? 1
            let found = tag(of: parts.prefix(count))
            if !found.isEmpty, seen.insert(found).inserted { tags.append(found) }
            parts = parts.dropFirst(count)
        }
        return tags
    }

    private static func tag(of parts: some Sequence<Substring>) -> String {
        parts.joined(separator: ",").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
