import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangePlan {
    /// Checks every rule and makes the edit.
    func edit(_ change: Change, by author: ChangeAuthor) throws(ChangeRefusal) -> PlannedEdit {
        let known = workspace.definition(of: change.key, showsInternal: context.options.showsInternal)
        guard let definition = known ?? newDefinition(change, author) else { throw .unknown(change.key) }
        try checkAllowed(change, author)
        switch change.action {
        case .setText, .setValue, .setJSON, .reset:
            try checkUnlocked(change, definition)
            try checkReason(change)
            return try valueEdit(change, definition)
        case .lock, .unlock:
            try checkReason(change)
            return try lockEdit(change, definition, isLocked: change.action == .lock)
        }
    }

    private func checkReason(_ change: Change) throws(ChangeRefusal) {
        let length = change.reason.utf16.count
        if length > Change.longestReason { throw .reasonTooLong(change.key, length) }
    }

    /// The rules that hold whatever the flag and the value are.
    private func checkAllowed(_ change: Change, _ author: ChangeAuthor) throws(ChangeRefusal) {
        if context.options.isReadOnly { throw .readOnly(change.key) }
        let locks = change.action.isAboutDefinition
        let isEntitled =
            switch author.role {
            case .viewer: false
            case .editor: !locks
            case .admin: true
            }
        guard isEntitled else { throw .role(author, change.key, locks: locks) }
        if author.origin == .import, author.role != .admin { throw .importing(author, change.key) }
        if let suspension {
            throw ChangeRefusal(
                .unavailable, key: change.key, suspension.description,
                remedy: "Restart Flagboard: it recovers at start-up.")
        }
        if case .failure(let obstacle) = workspace.manifest.content {
            throw ChangeRefusal(
                .unavailable, key: change.key, "\(change.key) can't be changed now. \(obstacle.description)",
                remedy: "Changes are possible as soon as the manifest is valid again.")
        }
    }

    /// No change reaches a locked flag, be it inside the one that is changed or around it.
    private func checkUnlocked(_ change: Change, _ definition: FlagDefinition) throws(ChangeRefusal) {
        if definition.metadata.isLocked {
            throw .locked(change.key, manifest: context.files.manifest.lastPathComponent)
        }
        let reached = workspace.definitions(reachedFrom: change.key).map(\.metadata)
        if !context.options.showsInternal, reached.contains(where: \.isInternal) { throw .unknown(change.key) }
        if reached.contains(where: { $0.isLocked || $0.isInternal }) { throw .reachesLocked(change.key) }
    }
}
