import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The rules that hold for every change, whichever way it came in: who may make it, of which flags, and when.
struct ChangeRules {
    let context: ChangeContext
    /// The files as the changes before leave them.
    let workspace: Workspace
    /// What must be settled before anything else is written.
    let unsettled: UnsettledChange?
    /// The rows of the changes before.
    let events: [HistoryEvent]

    /// What the history knows of values that are there no more.
    var former: FormerValues { FormerValues(context: context, workspace: workspace, events: events) }

    /// The flag that a change is of, where every rule lets that author make such a change of it.
    ///
    /// - Parameter change: The change of a flag that there is, or of one that it makes by its value.
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

    /// Checks the rules that hold whatever the flag and the value are.
    func checkAllowed(_ change: Change, by author: ChangeAuthor) throws(ChangeError) {
        if context.options.showsReadOnly { throw .readOnly(change.key) }
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
                .unavailable, key: change.key, "\(change.key) can't be changed now. \(fileProblem.description)",
                remedy: "Changes are possible as soon as the manifest is valid again.")
        }
    }

    /// The conflict of which a version is chosen, where there is one and it has that version.
    func settled(
        _ conflict: MarkedConflict?, _ side: ValueChange.MergeSide, of key: FlagKeyPath
    ) throws(ChangeError) -> MarkedConflict {
        guard let conflict else {
            throw ChangeError(
                .invalid, key: key, "No merge left a conflict at \(key), or it is settled already.",
                remedy: "Look at the flag as it is now; nothing was changed.")
        }
        guard side == .ours || conflict.sides != nil else {
            throw ChangeError(
                .invalid, key: key, "The comment at \(key) no longer holds the other version.",
                remedy: "Set the value that is right, then keep that; nothing was changed.")
        }
        return conflict
    }

    /// Checks that the history can keep the reason.
    func checkReason(_ change: Change) throws(ChangeError) {
        let length = change.reason.utf16.count
        if length > Change.longestReason { throw .reasonTooLong(change.key, length) }
    }

    /// The flag that a change makes where there is none; `nil` where it makes none.
    private func madeDefinition(_ change: Change, by author: ChangeAuthor) throws(ChangeError) -> FlagDefinition? {
        guard case .value(let asked) = change.action else { return nil }
        guard case .putBack(let value) = asked else { return importedDefinition(change.key, asked, author) }
        // The history is asked only for those who may change anything.
        try checkAllowed(change, by: author)
        return try former.definition(by: value, of: change)
    }

    /// The flag that an import makes of a key which has no definition and which no provider holds.
    ///
    /// Only where there is no manifest, and so nothing internal: with one, such a key is refused like that of an internal
    /// flag, so that the refusal does not tell which there are.
    ///
    /// - Returns: A flag of the type that the value looks like; `nil` where the key stands for nothing.
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
            // What can't be stored is refused as a value of any type.
            return FlagDefinition(key: key, type: json.value.stored.map(FlagType.init(inferredFrom:)) ?? .array)
        default: return nil
        }
    }

    /// No change reaches a locked flag inside the one that is changed or around it.
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
