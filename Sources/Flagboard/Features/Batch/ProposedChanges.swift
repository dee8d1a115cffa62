import FeatureFlags
import FlagChanges
import Foundation

/// Changes as the text that travels in a form: a JSON array, in which each value is in its lossless form.
enum ProposedChanges {
    /// The changes as text.
    ///
    /// - Throws: What JSON can't hold of them.
    static func text(of changes: [Change]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(changes.map(Item.init)), as: UTF8.self)
    }

    /// The changes that a text is of.
    ///
    /// - Parameters:
    ///   - text: What ``text(of:)`` made.
    ///   - reason: The reason of each.
    /// - Returns: The changes; `nil` where it is no such text.
    static func changes(in text: String, reason: String) -> [Change]? {
        let items: [Item]
        do {
            items = try JSONDecoder().decode([Item].self, from: Data(text.utf8))
        } catch {
            return nil
        }
        guard !items.isEmpty, items.count <= BatchProposal.largest else { return nil }
        let changes = items.compactMap { $0.change(reason) }
        return changes.count == items.count ? changes : nil
    }

    /// The flags that two lists of changes don't do the same to, whatever their reasons.
    static func flags(differingIn changes: [Change], _ others: [Change]) -> Set<FlagKeyPath> {
        let differing = Set(changes.map(Item.init)).symmetricDifference(others.map(Item.init))
        return Set(differing.compactMap { FlagKeyPath(text: $0.key) })
    }

    private struct Item: Codable, Hashable {
        let key: String
        let action: String
        let value: FlagValue?
        let provider: String?
        let revisions: [String]?

        init(_ change: Change) {
            key = change.key.text
            (action, value) =
                switch change.action {
                case .setText(let text): ("setText", .string(text))
                case .setValue(let value): ("setValue", value)
                case .setJSON(let json): json.value.stored.map { ("setJSON", $0) } ?? ("setJSONText", json.described)
                case .putBack(let value): ("putBack", value)
                case .reset: ("reset", nil)
                case .lock: ("lock", nil)
                case .unlock: ("unlock", nil)
                case .define(let edit): ("define", edit.fields)
                case .redefine(let edit): ("redefine", edit.fields)
                case .tag(let tag, let isSet): (isSet ? "tag" : "untag", .string(tag))
                case .rename(let key): ("rename", .string(key.text))
                case .retire(let reason): ("retire", reason.map(FlagValue.string))
                case .remove(let withValues): ("remove", .bool(withValues))
                }
            provider = change.provider
            revisions = change.revisions?.map(\.rawValue)
        }

        func change(_ reason: String) -> Change? {
            guard let key = FlagKeyPath(text: key), let action = wanted ?? definitionAction else { return nil }
            var change = Change(key: key, action: action, provider: provider, reason: reason)
            change.revisions = revisions?.map(FlagRevision.init(rawValue:))
            return change
        }

        private var wanted: Change.Action? {
            switch (action, value) {
            case ("setText", .string(let text)?): .setText(text)
            case ("setValue", let value?): .setValue(value)
            case ("setJSON", let value?): .setJSON(JSONInput(value))
            case ("setJSONText", .string(let text)?): Self.json(text).map(Change.Action.setJSON)
            case ("putBack", let value?): .putBack(value)
            case ("reset", nil): .reset
            case ("lock", nil): .lock
            case ("unlock", nil): .unlock
            default: nil
            }
        }

        private static func json(_ text: String) -> JSONInput? {
            do throws(FlagValueError) { return try JSONInput(text) } catch { return nil }
        }

        private var definitionAction: Change.Action? {
            switch (action, value) {
            case ("define", let fields?): DefinitionEdit(fields: fields).map(Change.Action.define)
            case ("redefine", let fields?): DefinitionEdit(fields: fields).map(Change.Action.redefine)
            case ("tag", .string(let tag)?): .tag(tag, isSet: true)
            case ("untag", .string(let tag)?): .tag(tag, isSet: false)
            case ("rename", .string(let text)?): FlagKeyPath(text: text).map(Change.Action.rename)
            case ("retire", .string(let reason)?): .retire(reason)
            case ("retire", nil): .retire(nil)
            case ("remove", .bool(let withValues)?): .remove(withValues: withValues)
            default: nil
            }
        }
    }
}
