import FeatureFlags
import FlagHistory

/// What puts back what was before a row of the history.
public struct Reversal: Hashable, Sendable {
    /// Why a row can't be reverted, whatever the flags are now.
    public enum Problem: Hashable, Sendable {
        /// The row tells of an attempt that changed nothing.
        case changedNothing
        /// The row tells of an entry of the manifest that is no flag's.
        case isOfManifest
        /// The row tells of the history itself.
        case isOfHistory
        /// Another program altered the row after it was written, so that what it says was before may never have been.
        case isAltered
    }

    /// The row.
    public let record: HistoryRecord
    /// What puts back what was before; it states by its revision that the flag must still hold what the row left.
    public let change: Change

    /// What puts back what was before some rows, in the order in which it is to be done.
    ///
    /// The newest row is the first. Where definitions come or go, values go before them and come after them, so that each is
    /// there as what it is.
    ///
    /// - Parameters:
    ///   - records: The rows; those that can't be reverted are left out.
    ///   - reason: Why.
    /// - Returns: A reversal for each row, and one more for each flag that comes back locked, with values.
    public static func reversals(of records: [HistoryRecord], reason: String) -> [Reversal] {
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
        // Of a dictionary that is gone, an empty group may be left, where something moved into it and out again.
        if case .value(.putBack(.dictionary)) = action, event.after == nil {
            change.revisions?.append(FlagRevision(of: .dictionary([:])))
        }
        self.change = change
    }

    /// When it is to be done, beside reversals by which definitions come or go.
    private enum Phase: Int, Comparable {
        case unlocking, going, undefining, defining, coming, locking

        /// Whether a definition comes or goes.
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

    /// The reversal, its lock by itself where it defines a locked flag that gets values after that.
    private func lockingLast(where valued: Set<FlagKeyPath>, reason: String) -> [Reversal] {
        guard case .definition(.define(let edit)) = change.action, edit.definition.metadata.isLocked,
            valued.contains(change.key)
        else { return [self] }
        return [Reversal(record, .define(edit.unlocked), reason: reason), Reversal(record, .lock, reason: reason)]
    }

    /// What puts back what was before; `nil` where that is a definition which is none by the rules of now.
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

    /// Why a row can't be reverted; `nil` where that depends on what the flags are now.
    ///
    /// - Parameter record: The row.
    /// - Returns: The cause.
    public static func problem(of record: HistoryRecord) -> Problem? {
        let event = record.event
        return record.isAltered ? .isAltered : problem(of: event.kind, hasType: event.type != nil)
    }

    /// How many rows of a batch can be reverted, as far as that does not depend on what the flags are now.
    ///
    /// - Parameter batch: The batch.
    /// - Returns: The number.
    public static func count(in batch: HistoryBatchOutline) -> Int {
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
    /// How many later rows of a flag are looked at.
    private static let laterRows = 500

    /// The rows that changed the same as a row, after it; oldest first, as far as they are among the next of the flag's.
    ///
    /// - Parameters:
    ///   - record: The row.
    ///   - hiddenKeys: What must not appear.
    /// - Returns: The rows.
    /// - Throws: Why the history can't be read.
    public func changes(
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
