import FeatureFlags
import FlagChanges
import Foundation

/// Changes as the text that travels in a form: a JSON array, in which each value is in its lossless form.
enum ProposedChanges {
    /// The changes as text.
    static func text(of changes: [Change]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(changes.map(Item.init)), as: UTF8.self)
    }

    /// The changes that a text is of.
    ///
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
            (action, value) = change.action.written
            provider = change.provider
            revisions = change.revisions?.map(\.rawValue)
        }

        func change(_ reason: String) -> Change? {
            guard let key = FlagKeyPath(text: key), let action = Change.Action(name: action, operand: value) else {
                return nil
            }
            var change = Change(key: key, action: action, provider: provider, reason: reason)
            change.revisions = revisions?.map(FlagRevision.init(rawValue:))
            return change
        }
    }
}
