import FeatureFlags
import FlagHistory

/// A change that restores the state before a history row.
package struct Reversal: Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case changedNothing
        /// The row concerns an entry of the manifest that is no flag.
        case isOfManifest
        case isOfHistory
        /// Another program altered the row, so its earlier value is uncertain.
        case isAltered
    }

    package let record: HistoryRecord
    /// The restoring change, valid only while the flag is as the row left it.
    package private(set) var change: Change

    /// Restores the state whatever it is now.
    package var unconditional: Reversal {
        var reversal = self
        reversal.change.revisions = nil
        return reversal
    }

    /// Returns the changes that revert rows, newest first, skipping irrevertible ones.
    ///
    /// Values are removed before and restored after their definitions, to be of the right kind. A restored flag that is
    /// locked and has values gets a separate lock.
    package static func reversals(of records: [HistoryRecord], reason: String) -> [Reversal] {
        let reversals = records.sorted { $0.id > $1.id }.compactMap { record in
            problem(of: record) == nil
                ? action(reverting: record.event).map { Reversal(record, $0, reason: reason) } : nil
        }
        guard reversals.contains(where: { $0.phase.isOfPresence }) else { return reversals }
        let valued = Set(reversals.filter { $0.phase == .coming }.map(\.change.key))
        let split = reversals.flatMap { $0.lockingLast(where: valued, reason: reason) }
        return split.enumerated().sorted { ($0.element.phase, $0.offset) < ($1.element.phase, $1.offset) }
            .map(\.element)
    }

    private init(_ record: HistoryRecord, _ action: Change.Action, reason: String) {
        let event = record.event
        self.record = record
        var change = Change(key: event.key, action: action, provider: event.provider, reason: reason)
        let isLock = action == .lock || action == .unlock
        let isStated = event.provider != nil || event.after != nil && !isLock
        change.revisions = isStated ? [FlagRevision(of: event.after)] : nil
        // A removed dictionary may leave an empty group, if a value was moved into it and out again.
        if case .value(.putBack(.dictionary)) = action, event.after == nil {
            change.revisions?.append(FlagRevision(of: .dictionary([:])))
        }
        self.change = change
    }

    private enum Phase: Int, Comparable {
        case unlocking, going, undefining, defining, coming, locking

        var isOfPresence: Bool { self == .undefining || self == .defining }

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    private var phase: Phase {
        switch change.action {
        case .value(.reset): .going
        case .definition(.unlock): .unlocking
        case .definition(.remove): .undefining
        case .definition(.define): .defining
        case .definition(.lock): .locking
        case .value, .definition, .note: .coming
        }
    }

    private func lockingLast(where valued: Set<FlagKeyPath>, reason: String) -> [Reversal] {
        guard case .definition(.define(let edit)) = change.action, edit.definition.metadata.isLocked,
            valued.contains(change.key)
        else { return [self] }
        return [Reversal(record, .define(edit.unlocked), reason: reason), Reversal(record, .lock, reason: reason)]
    }

    /// Returns the restoring action; `nil` if the earlier definition is invalid by current rules.
    private static func action(reverting event: HistoryEvent) -> Change.Action? {
        switch event.kind {
        case .lock: return .unlock
        case .unlock: return .lock
        default: break
        }
        guard event.provider == nil else { return event.before.map(Change.Action.putBack) ?? .reset }
        guard let before = event.before else { return .remove(withValues: false) }
        guard let edit = DefinitionEdit(entry: before, breaksValues: true) else { return nil }
        return event.after == nil ? .define(edit) : .redefine(edit)
    }

    /// Returns the reason why a row can never be reverted; `nil` if that depends on the current flags.
    package static func problem(of record: HistoryRecord) -> Problem? {
        let event = record.event
        return record.isAltered ? .isAltered : problem(of: event.kind, hasType: event.type != nil)
    }

    /// Returns the number of a batch's rows without a ``problem(of:)``.
    package static func count(in batch: HistoryBatchOutline) -> Int {
        let reversible = batch.sorts.filter { problem(of: $0.kind, hasType: $0.hasType) == nil }
        let altered = batch.records.filter {
            $0.isAltered && problem(of: $0.event.kind, hasType: $0.event.type != nil) == nil
        }
        return reversible.reduce(0) { $0 + $1.count } - altered.count
    }

    private static func problem(of kind: HistoryRecord.Kind, hasType: Bool) -> Problem? {
        switch kind {
        case .set, .reset: nil
        case .lock, .unlock, .external, .define, .redefine, .remove: hasType ? nil : .isOfManifest
        case .aborted, .denied, .note: .changedNothing
        case .prune, .accept: .isOfHistory
        }
    }
}

extension HistoryStore {
    private static let laterRows = 500

    /// Returns later rows for the same value or definition, oldest first, up to a limit.
    package func changes(
        after record: HistoryRecord, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let event = record.event
        let kinds: [HistoryRecord.Kind] =
            switch event.kind {
            case .lock, .unlock: [.lock, .unlock]
            case _ where event.provider == nil: [.define, .redefine, .lock, .unlock, .remove, .external]
            default: [.set, .reset, .external]
            }
        return try records(
            matching: HistoryQuery(key: event.key, hiddenKeys: hiddenKeys), after: record.id, limit: Self.laterRows
        ).filter { kinds.contains($0.event.kind) && $0.event.provider == event.provider }
    }
}
