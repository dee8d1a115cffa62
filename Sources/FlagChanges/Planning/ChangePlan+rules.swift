import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangePlan {
    /// Checks every rule and makes the edits: one, but for a flag that moves or is removed with its values; the last one
    /// is that of which the change is told.
    func edits(_ change: Change, by author: ChangeAuthor) throws(ChangeError) -> [PlannedEdit] {
        if case .define(let edit) = change.action {
            try checkAllowed(change, author)
            try checkReason(change)
            return [try definingEdit(change, edit)]
        }
        let definition = try allowed(change, by: author)
        switch change.action {
        case .setText, .setValue, .setJSON, .putBack, .reset: return [try valueEdit(change, definition)]
        case .lock: return [try fieldEdit(change, .lock(true))]
        case .unlock: return [try fieldEdit(change, .lock(false))]
        case .tag(let tag, let isSet): return [try fieldEdit(change, .tag(tag, isSet: isSet))]
        case .define(let edit): return [try definingEdit(change, edit)]
        case .redefine(let edit): return [try redefiningEdit(change, edit)]
        case .retire(let reason): return [try retiringEdit(change, reason)]
        case .rename(let key): return try renamingEdits(change, to: key)
        case .remove(let withValues): return try removingEdits(change, withValues: withValues)
        }
    }

    /// The flag that a change is of, where every rule lets that author make such a change of it.
    func allowed(_ change: Change, by author: ChangeAuthor) throws(ChangeError) -> FlagDefinition {
        let known = workspace.definition(of: change.key, showsInternal: context.options.showsInternal)
        let made = known == nil ? try madeDefinition(change, by: author) : nil
        guard let definition = known ?? made else {
            throw .absence(of: change.key, unreadable: workspace.fileProblems)
        }
        try checkAllowed(change, author)
        switch change.action {
        case .setText, .setValue, .setJSON, .putBack, .reset: try checkUnlocked(change, definition)
        case .rename, .remove: if definition.metadata.isLocked { throw .lockedDefinition(change.key) }
        case .lock, .unlock, .define, .redefine, .tag, .retire: break
        }
        try checkReason(change)
        return definition
    }

    /// The flag that a change makes where there is none; `nil` where it makes none.
    private func madeDefinition(_ change: Change, by author: ChangeAuthor) throws(ChangeError) -> FlagDefinition? {
        guard case .putBack = change.action else { return newDefinition(change, author) }
        // The history is asked only for those who may change anything.
        try checkAllowed(change, author)
        return try formerDefinition(change)
    }

    private func checkReason(_ change: Change) throws(ChangeError) {
        let length = change.reason.utf16.count
        if length > Change.longestReason { throw .reasonTooLong(change.key, length) }
    }

    /// The rules that hold whatever the flag and the value are.
    private func checkAllowed(_ change: Change, _ author: ChangeAuthor) throws(ChangeError) {
        if context.options.isReadOnly { throw .readOnly(change.key) }
        let isEntitled =
            switch author.role {
            case .viewer: false
            case .editor: !change.action.isAboutDefinition
            case .admin: true
            }
        guard isEntitled else { throw .role(author, change) }
        if author.origin == .import, author.role != .admin { throw .importing(author, change.key) }
        if let unsettled { throw unsettled.refusal(of: change.key) }
        if case .failure(let fileProblem) = workspace.manifest.content {
            throw ChangeError(
                .unavailable, key: change.key, "\(change.key) can't be changed now. \(fileProblem.description)",
                remedy: "Changes are possible as soon as the manifest is valid again.")
        }
    }

    /// No change reaches a locked flag, be it inside the one that is changed or around it.
    private func checkUnlocked(_ change: Change, _ definition: FlagDefinition) throws(ChangeError) {
        if definition.metadata.isLocked {
            throw .locked(change.key, manifest: context.files.manifest.lastPathComponent)
        }
        let reached = workspace.definitions(reachedFrom: change.key).map(\.metadata)
        if !context.options.showsInternal, reached.contains(where: \.isInternal) { throw .unknown(change.key) }
        if reached.contains(where: { $0.isLocked || $0.isInternal }) { throw .reachesLocked(change.key) }
    }
}
