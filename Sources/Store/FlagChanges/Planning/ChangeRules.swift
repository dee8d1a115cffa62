import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct ChangeRules {
    let context: ChangeContext
    /// The files after the preceding changes.
    let workspace: Workspace
    let unsettled: UnsettledChange?
    let events: [HistoryEvent]

    var former: FormerValues { FormerValues(context: context, workspace: workspace, events: events) }

    func allowed(_ change: Change, by author: ChangeAuthor) throws(ChangeError) -> FlagDefinition {
        let known = workspace.definition(of: change.key, showsInternal: context.options.showsInternal)
        let made = known == nil ? try madeDefinition(change, by: author) : nil
        guard let definition = known ?? made else {
            throw .absence(of: change.key, unreadable: workspace.problemsOfReads)
        }
        try checkAllowed(change, by: author)
        switch change.action {
        case .value: try checkUnlocked(change, definition)
        case .definition(.rename), .definition(.remove):
            if definition.metadata.isLocked { throw .lockedDefinition(change.key) }
        case .definition, .note: break
        }
        try checkReason(change)
        return definition
    }

    func checkAllowed(_ change: Change, by author: ChangeAuthor) throws(ChangeError) {
        if context.options.showsReadOnly { throw context.readOnlyRefusal(of: change.key) }
        let isEntitled =
            switch author.role {
            case .viewer: false
            case .editor: !change.action.isAboutDefinition
            case .admin: true
            }
        guard isEntitled else { throw .role(author, change) }
        if let server = context.options.definingServer, change.action.isAboutDefinition {
            throw .defined(change.key, at: server)
        }
        if context.options.definesInCode, case .definition(let asked) = change.action, !asked.isOfLock {
            throw .definedInCode(change.key)
        }
        if author.origin == .import, author.role != .admin { throw .importing(author, change.key) }
        if let unsettled { throw unsettled.refusal(of: change.key) }
        if case .failure(let fileProblem) = workspace.manifest.content {
            throw ChangeError(
                .unavailable, key: change.key, "Can't change \(change.key) now. \(fileProblem.description)",
                remedy: "Fix the manifest to make changes again.")
        }
    }

    func settled(
        _ conflict: MarkedConflict?, _ side: ValueChange.MergeSide, of key: FlagKeyPath
    ) throws(ChangeError) -> MarkedConflict {
        guard let conflict else {
            throw ChangeError(
                .invalid, key: key, "\(key) has no merge conflict, or it is already resolved.",
                remedy: "Check the flag's current value. Nothing was changed.")
        }
        guard side == .ours || conflict.sides != nil else {
            throw ChangeError(
                .invalid, key: key, "The comment at \(key) no longer contains the other version.",
                remedy: "Set the correct value, then keep it. Nothing was changed.")
        }
        return conflict
    }

    func checkReason(_ change: Change) throws(ChangeError) {
        let length = change.reason.utf16.count
        if length > Change.longestReason { throw .reasonTooLong(change.key, length) }
    }

    private func madeDefinition(_ change: Change, by author: ChangeAuthor) throws(ChangeError) -> FlagDefinition? {
        guard case .value(let asked) = change.action else { return nil }
        guard case .putBack(let value) = asked else { return importedDefinition(change.key, asked, author) }
        // The history is only searched for authorised authors.
        try checkAllowed(change, by: author)
        return try former.definition(by: value, of: change)
    }

    /// Returns the flag that an import creates, only without a manifest.
    ///
    /// With one, unknown keys are refused like internal flags, to reveal none.
    private func importedDefinition(
        _ key: FlagKeyPath, _ asked: ValueChange, _ author: ChangeAuthor
    ) -> FlagDefinition? {
        guard author.origin == .import, workspace.takesNewFlags, !workspace.holdsAnything(onTheWayTo: key) else {
            return nil
        }
        switch asked {
        case .setValue(.dictionary): return nil
        case .setValue(let value): return FlagDefinition(key: key, type: FlagType(inferredFrom: value))
        case .setJSON(let json):
            if case .object = json.value { return nil }
            // A value that can't be stored is refused later, whatever the type.
            return FlagDefinition(key: key, type: json.value.stored.map(FlagType.init(inferredFrom:)) ?? .array)
        default: return nil
        }
    }

    /// Refuses a locked flag, and one with locked flags inside or around it.
    private func checkUnlocked(_ change: Change, _ definition: FlagDefinition) throws(ChangeError) {
        if definition.metadata.isLocked {
            throw .locked(
                change.key, manifest: context.files.manifest.lastPathComponent, at: context.options.definingServer)
        }
        let reached = workspace.definitions(reachedFrom: change.key).map(\.metadata)
        if !context.options.showsInternal, reached.contains(where: \.isInternal) { throw .unknown(change.key) }
        if reached.contains(where: { $0.isLocked || $0.isInternal }) { throw .reachesLocked(change.key) }
    }
}
